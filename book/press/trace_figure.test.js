import assert from 'node:assert/strict';
import {test} from 'node:test';
import {loadsOf, panelsOf, tileOf, traceHtml, wishesOf} from './trace_figure.js';

const figure = (text) => text.trim().split('\n');
const diagonal = `
caption: Columns.
file: labs/02_padding/1_square.cu
title: rows of 32 words
line: out[i] = tile[x][y]
request: shared load
warps: 0-31
file: solutions/02_padding/1_square.cu
title: rows of 33 words`;

test('a second file keeps what it does not say anew', () => {
  const {caption, panels} = panelsOf(figure(diagonal));
  assert.equal(caption, 'Columns.');
  assert.deepEqual(panels[1], {...panels[0], file: panels[1].file, title: 'rows of 33 words'});
  assert.deepEqual(wishesOf(panels[1]), [
    {file: panels[1].file, line: 'out[i] = tile[x][y]', block: '0', warps: [0, 31]},
  ]);
});

test('several lines are one picture, and a new file begins anew', () => {
  const {panels} = panelsOf(
    figure('caption: c\nfile: a\nline: 1\nline: 2\nfile: b\nfile: c\nline: 3'),
  );
  assert.deepEqual(
    panels.map((panel) => panel.lines),
    [['1', '2'], ['1', '2'], ['3']],
  );
});

test('what a trace does not know is refused', () => {
  assert.throws(() => panelsOf(figure('caption: c\nfile: a\nlien: 1')), /no line "lien: 1"/);
  assert.throws(() => panelsOf(figure('caption: c\nline: 1')), /begins with/);
  assert.throws(() => panelsOf(figure('caption: c\nfile: a')), /which line/);
  assert.throws(() => panelsOf(figure('file: a\nline: 1')), /needs a caption/);
  assert.throws(() => wishesOf({file: 'a', lines: ['1'], warps: 'all'}), /0 or 0-31/);
});

test('a bank is as hot as it has words to serve, and a word as its bank', () => {
  const request = {
    served: [
      [0, 0, [0]],
      [0, 4, [1]],
      [1, 5, [2, 3]],
    ],
  };
  assert.deepEqual(loadsOf(request).slice(0, 3), [2, 1, 0]);
  assert.deepEqual(tileOf([request], 4), [
    [2, 0, 0, 0],
    [2, 1, 0, 0],
  ]);
});

test('the emulated device saw 992 conflicts in a square tile, and none with 33 words a row', () => {
  const html = traceHtml(figure(diagonal), {});
  assert.match(html.picture, /32 requests, 1,024 wavefronts, 992 conflicts/);
  assert.match(html.picture, /32 requests, 32 wavefronts, no conflicts/);
  assert.equal(html.picture.match(/class="way32"/g).length, 32); // one bank for each of 32 warps
  assert.match(
    html.details,
    /<th scope="row">warp 31<\/th><td>32<\/td><td>1<\/td><td>1<\/td><td>32</,
  );
});

test('a trace that nobody recorded is an error', () => {
  const unknown = figure(diagonal.replace('0-31', '0-30'));
  assert.throws(() => traceHtml(unknown, {}), /not recorded/);
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {valuesOf} from '../frame/frame.js';
import ring from './ring.js';

const view = (given) => ring.view(valuesOf(ring, given));
const says = (given) => view(given).says.replace(/<[^>]+>/g, '');

test('it says who asks, who reads, and who waits for what', () => {
  assert.match(says({}), /Before the first step: 3 stages/);
  assert.match(
    says({step: 1}),
    /asks for tile 0, into stage 0\. Warp 0 waits for full\[0\] with parity 0 \(phases complete: 0\)/,
  );
  assert.match(says({step: 40}), /All 6 tiles are read, in \d+ steps\./);
});

test('a ring that is stuck says who waits for whom, and what is missing', () => {
  assert.match(
    says({mistake: 'start', step: 40}),
    /Nobody can go on: the producer waits for empty\[0\]; warp 0 for full\[0\]; warp 1 for full\[0\]\. The kernel never ends/,
  );
  assert.match(
    says({mistake: 'size', step: 40}),
    /warp 0 for full\[0\], which still wants 8 bytes/,
  );
});

test('what is read wrongly is named, with the step, and is marked from there on', () => {
  const wrong = {mistake: 'unreleased', stages: 3, slow: 3};
  assert.match(says({...wrong, step: 4}), /In step 4 a copy of tile 3 begins to go into stage 0/);
  assert.match(says({...wrong, step: 40}), /wrong result|Nobody can go on/);
  assert.doesNotMatch(view({...wrong, step: 2}).picture, /class="tile wrong"/);
  assert.match(view({...wrong, step: 6}).picture, /class="tile wrong"/);
  assert.match(
    says({mistake: 'unreleased', stages: 1, step: 40}),
    /waits for no more arrivals: nothing says what comes of that\. The widget stops here\./,
  );
  assert.match(
    says({mistake: 'unreleased', stages: 4, copy: 1, slow: 1, step: 40}),
    /this time the mistake does not show/,
  );
});

test('the picture has the stages, four parts each, and who is there', () => {
  const {picture} = view({stages: 4, step: 3});
  assert.equal(picture.match(/class="frame"/g).length, 4);
  assert.equal(picture.match(/class="who( waits)?"/g).length, 3);
  assert.equal(picture.match(/<svg[^>]*role="img"[^>]*aria-label="[^"]{10}/g).length, 2);
});

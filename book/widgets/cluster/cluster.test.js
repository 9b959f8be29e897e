import assert from 'node:assert/strict';
import {test} from 'node:test';
import {valuesOf} from '../frame/frame.js';
import cluster from './cluster.js';

const view = (given) => cluster.view(valuesOf(cluster, given));
const says = (given) => view(given).says.replace(/<[^>]+>/g, '');

test('an address names the block, and another block is asked by sectors and lines', () => {
  assert.match(says({target: 3}), /mapa\(0x00000400, 3\) is 0x03000400/);
  assert.match(says({}), /4 sectors of 32 bytes in 1 line, 128 bytes on the way/);
  assert.match(
    says({index: '33*t'}),
    /32 sectors of 32 bytes in 32 lines.*in the block's own memory it would take 1 wavefront\./,
  );
});

test('through its own window a block finds its banks', () => {
  assert.match(says({me: 2, target: 2, index: '32*t'}), /32 wavefronts where 1 would do/);
  assert.match(says({me: 2, target: 2, index: '33*t'}), /no conflicts/);
});

test('additions to one word ask for it again and again', () => {
  assert.match(
    says({access: 'atomic', index: '0'}),
    /32 sectors of 32 bytes, 2,048 bytes on the way.*up to 32 lanes want one word, and 1 sector is asked again/,
  );
  assert.match(says({index: '0'}), /1 sector of 32 bytes in 1 line/);
});

test('what is not known is not said', () => {
  assert.doesNotMatch(says({access: 'store'}), /bytes on the way/);
  assert.match(view({access: 'store'}).details.html, /bytes sent.*not known for certain/);
});

test('ranks, widths and places that do not exist are refused', () => {
  assert.throws(() => says({target: 4}), /asks block: the cluster has blocks 0 to 3/);
  assert.throws(() => says({blocks: 2, me: 2}), /this block: the cluster has blocks 0 to 1/);
  assert.throws(() => says({access: 'atomic', width: 8}), /4 bytes only/);
  assert.throws(() => says({index: '100000*t'}), /outside of memory/);
  assert.match(says({blocks: 16, target: 15}), /NonPortableClusterSizeAllowed/);
  assert.match(says({mask: '0'}), /No lane takes part/);
});

test('the picture has all blocks, and the sectors that are touched', () => {
  const {picture} = view({blocks: 8, index: '8*t'});
  assert.equal(picture.match(/class="(asks|asked|other)"/g).length, 8);
  assert.equal(picture.match(/<rect[^>]*receives/g).length, 32);
  assert.equal(view({me: 1}).picture.match(/class="arrow"/g), null);
});

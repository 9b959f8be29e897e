import assert from 'node:assert/strict';
import {test} from 'node:test';
import {valuesOf} from '../frame/frame.js';
import fragment from './fragment.js';

const view = (given) => fragment.view(valuesOf(fragment, given));
const says = (given) => view(given).says.replace(/<[^>]+>/g, '');

test('rows of 128 bytes conflict, and one empty unit or an order of units frees them', () => {
  assert.match(says({}), /Four matrices, .*: 32 wavefronts where 4 would do: 28 conflicts/);
  assert.match(says({extra: 1}), /: 4 wavefronts, no more than the bytes need/);
  assert.match(says({order: 'row'}), /no conflicts/);
  assert.match(says({units: 4, order: 'row'}), /: 8 wavefronts/);
  assert.match(says({units: 4, order: 'half'}), /no conflicts/);
});

test('it says what the lane names and gets', () => {
  assert.match(
    says({lane: 9}),
    /Lane 9 names row 9 of unit 0, and gets columns 2, 3, 10 and 11 of rows 2 and 10\./,
  );
  assert.match(
    says({read: 'one', lane: 9}),
    /Lane 9 names nothing, and gets columns 2 and 3 of row 2/,
  );
  assert.match(says({read: 'word', lane: 9}), /Lane 9 gets columns 2 and 3 of row 2: the word/);
});

test('units behind the row are refused', () => {
  assert.throws(() => says({unit: 7}), /0 to 7, and four matrices take two/);
  assert.throws(() => says({read: 'one', units: 2, unit: 2}), /0 to 1$/);
});

test('the picture marks what is read, and what the lane gets', () => {
  const {picture} = view({});
  assert.equal(picture.match(/<rect[^>]*touched/g).length, 32);
  assert.equal(picture.match(/<rect[^>]*receives/g).length, 8);
  assert.equal(picture.match(/<rect[^>]*chosen/g).length, 1);
});

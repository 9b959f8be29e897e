import assert from 'node:assert/strict';
import {readdirSync} from 'node:fs';
import {test} from 'node:test';
import {chapters} from './folders.js';
import {openerHtml} from './openers.js';

test('every numbered chapter has a picture, with words for who does not see it', () => {
  const numbered = readdirSync(chapters).filter((name) => /^\d\d_.+\.md$/.test(name));
  assert.equal(numbered.length, 12);
  for (const name of numbered)
    assert.match(openerHtml(name.slice(0, -3)), /role="img" aria-label="[A-Z][^"]+each of the 32/);
});

test('the cover shows one bank with 32 words in its last row only', () => {
  assert.equal(openerHtml('index').match(/class="way32"/g).length, 1);
});

test('other pages have none', () => assert.equal(openerHtml('errata'), ''));

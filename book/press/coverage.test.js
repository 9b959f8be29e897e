import assert from 'node:assert/strict';
import {test} from 'node:test';
import {coverageProblems, sectionsOf} from './coverage.js';

const files = [
  {
    file: '01_banks.md',
    text: '# Banks\n\n## Rows and columns\n\nA tile of 32 rows.\n\n### Deeper\n\nBelow it.\n\n## What else\n\nNothing.\n',
  },
  {
    file: 'errata.md',
    text: '# Errata\n\n## Banks\n\n### "One cycle"\n\nIt takes {{= h200.latency[shared].cycles : 0}} cycles.\n\n### "Words"\n\nA word.\n',
  },
];
const good = {
  topics: [{document: '000', topic: 'Tiles', place: '01_banks#rows-and-columns', says: 'TILE; 32'}],
  mistakes: [
    {
      document: '000',
      claim: '"One cycle"',
      entry: 'one-cycle',
      measured: 'h200.latency[shared].cycles',
    },
    {document: '000', claim: '"Words"', entry: 'words', measured: 'none: a word'},
  ],
};
const problemsOf = (change) => coverageProblems(files, {...structuredClone(good), ...change});
const withTopic = (change) => problemsOf({topics: [{...good.topics[0], ...change}]});
const withMistake = (change) =>
  problemsOf({mistakes: [{...good.mistakes[0], ...change}, good.mistakes[1]]});

test('a section goes on to the next heading of its level', () => {
  const sections = sectionsOf(files[0].text);
  assert.deepEqual([...sections.keys()], ['rows-and-columns', 'deeper', 'what-else']);
  assert.match(sections.get('rows-and-columns'), /Below it/);
  assert.doesNotMatch(sections.get('rows-and-columns'), /Nothing/);
});

test('topics and mistakes that are where they are said to be are no problem', () => {
  assert.deepEqual(problemsOf({}), []);
});

test('a topic without a page, section or phrase is named with its line', () => {
  for (const [change, message] of [
    [{place: ''}, /topics.csv:2: "Tiles" has no place/],
    [{place: '09_none#rows'}, /no page 09_none/],
    [{place: '01_banks#rows'}, /no section #rows; it has rows-and-columns, deeper, what-else/],
    [{place: '01_banks'}, /no section #undefined/],
    [{says: 'tile; swizzle'}, /does not say "swizzle"/],
    [{says: ' ; '}, /names no phrase/],
  ])
    assert.match(withTopic(change)[0] ?? 'nothing', message);
});

test('a mistake needs an entry, and the entry its measurement', () => {
  for (const [change, message] of [
    [{entry: 'two-cycles'}, /mistakes.csv:2: errata.md has no entry #two-cycles/],
    [{measured: 'h200.latency[other].cycles'}, /does not quote h200.latency\[other\].cycles/],
    [{measured: ''}, /does not quote a measurement/],
    [{measured: 'none:'}, /does not quote none:/],
    [{measured: 'wrong: labs/nothing.cu'}, /is no variant that begins with/],
    [{measured: 'wrong: README.md'}, /is no variant that begins with/],
  ])
    assert.match(withMistake(change)[0] ?? 'nothing', message);
  const variant = 'wrong: solutions/04_reduction/wrong/3_no_race_early_return.cu';
  assert.deepEqual(withMistake({measured: variant}), []);
});

test('an entry of the errata that is not listed is a problem', () => {
  assert.match(
    problemsOf({mistakes: good.mistakes.slice(0, 1)})[0],
    /the entry #words of errata.md is not listed/,
  );
});

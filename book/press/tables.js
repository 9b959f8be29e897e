// Tables of measured data: book/data/sources.csv names each, with its file, device, date and command. A file is CSV, or
// JSON with its rows in `results`.
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {book, course, isOwn, root} from './folders.js';

// Rows as objects by column. Fields may be quoted; # starts a line of comment.
export function parseCsv(text) {
  const lines = text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  const [head, ...rows] = lines.map(fieldsOf);
  if (!head) throw new Error('the table is empty');
  return rows.map((row, i) => {
    if (row.length !== head.length)
      throw new Error(
        `row ${i + 1} has ${row.length} fields, and there are ${head.length} columns`,
      );
    return Object.fromEntries(row.map((value, column) => [head[column], value]));
  });
}

function fieldsOf(line) {
  const fields = [];
  const pattern = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;
  for (;;) {
    const match = pattern.exec(line);
    if (!match) throw new Error(`a quote is never closed: ${line.slice(0, 60)}`);
    fields.push(match[1] === undefined ? match[2] : match[1].replaceAll('""', '"'));
    if (match[3] === '') return fields;
  }
}

// The rows of a JSON file of `course bench`, with values as text, as a CSV has them; what the file says of the whole run is
// in every row.
export function parseResults(text) {
  const {results, ...run} = JSON.parse(text);
  return results.map((row) =>
    Object.fromEntries(
      Object.entries({...run, ...row}).map(([key, value]) => [key, String(value)]),
    ),
  );
}

const loaded = new Map();
let sources;

// The tables that a file names; `folder` is where theirs are.
const listed = (file, folder) =>
  parseCsv(readFileSync(file, 'utf8')).map((row) => [row.table, {...row, folder}]);

export function sourceOf(name) {
  const own = join(course, 'book', 'data', 'sources.csv');
  sources ??= new Map([
    ...listed(join(book, 'data', 'sources.csv'), root),
    ...(isOwn && existsSync(own) ? listed(own, course) : []),
  ]);
  const source = sources.get(name);
  if (!source)
    throw new Error(
      `no table ${name}: book/data/sources.csv has ${[...sources.keys()].join(', ')}`,
    );
  return source;
}

// The rows of a table and where it comes from. Throws when it is unknown, or its file is not there.
export function table(name) {
  const source = sourceOf(name);
  if (!loaded.has(name)) {
    const path = join(source.folder, source.file);
    if (!existsSync(path)) throw new Error(`table ${name}: there is no ${source.file}`);
    const text = readFileSync(path, 'utf8');
    loaded.set(name, path.endsWith('.json') ? parseResults(text) : parseCsv(text));
  }
  return {source, rows: loaded.get(name)};
}

// The one row that `keys` ({column, value}) select by equal values; a number is equal however it is written. A key without
// a column is for the first one, and there a part of the value is enough when no value is equal.
export function rowOf({source, rows}, keys) {
  const columns = Object.keys(rows[0] ?? {});
  for (const equal of [true, false]) {
    const found = rows.filter((row) =>
      keys.every(({column: named, value}) => {
        const column = named ?? columns[0];
        if (!(column in row))
          throw new Error(`${source.table} has no column ${column}; it has ${columns.join(', ')}`);
        const same =
          row[column] === value ||
          (value !== '' && row[column] !== '' && Number(row[column]) === Number(value));
        return same || (!equal && named === undefined && row[column].includes(value));
      }),
    );
    if (found.length === 1) return found[0];
    const wanted = keys.map(({column = columns[0], value}) => `${column} ${value}`).join(', ');
    if (found.length > 1)
      throw new Error(
        `${found.length} rows of ${source.table} have ${wanted}: ${found
          .slice(0, 4)
          .map((row) => row[columns[0]])
          .join(' | ')}`,
      );
    if (!equal) throw new Error(`no row of ${source.table} has ${wanted}`);
  }
}

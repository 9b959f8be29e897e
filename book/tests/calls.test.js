// The page of calls and instructions has every name of CUDA that the course's code and chapters use, and no other; each is in
// the section that its row leads to, and its header is included where it is used.
import assert from 'node:assert/strict';
import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {chapters, root} from '../press/folders.js';
import {slug} from '../press/slug.js';

// Declarations, calls, functions of the device and of namespaces, and what stands in an asm.
const NAME =
  /(?<!\w)(?:cuda[A-Z]\w*|cu[A-Z]\w*|CUtensorMap\w*|CU_[A-Z]\w*|__(?!FILE__|LINE__|CUDA)[a-z]\w*|(?:ptx|cg)::\w+|cuda::(?!ptx\b|std\b|device\b)[a-z]\w*|cluster\.\w+|atomic[A-Z]\w*)/g;
const OPCODE =
  /"(?:\{[^"]*?;\\n")?\s*((?:cp|ldmatrix|mma|wgmma|setmaxnreg|mbarrier|fence)[\w.:]+)/g;

const namesIn = (code) => {
  const text = code.replace(/\/\/[^\n]*/g, '');
  return new Set([
    ...[...text.matchAll(NAME)].map(([name]) => name),
    ...[...text.matchAll(OPCODE)].map(([, name]) => name.replace(/[.:]+$/, '')),
  ]);
};

const filesBelow = (folder) =>
  readdirSync(join(root, folder), {recursive: true})
    .filter((name) => name.endsWith('.cu'))
    .map((name) => join(folder, name));
const CODE = [...filesBelow('labs'), ...filesBelow('solutions')].map((path) => {
  const text = readFileSync(join(root, path), 'utf8');
  return {path, text, names: namesIn(text)};
});
const NUMBERED = readdirSync(chapters).filter((name) => /^\d\d_\w+\.md$/.test(name));
const read = (file) => readFileSync(join(chapters, file), 'utf8');
const spans = (text) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, span]) => span);
const inText = new Set(
  NUMBERED.flatMap((file) => spans(read(file))).flatMap((span) => [...namesIn(span)]),
);
const inCode = new Set(CODE.flatMap(({names}) => [...names]));

// {own, others, from, links}: the names of the first cell and of the second, the header or PTX section, and the addresses.
const ROWS = read('calls.md')
  .split('\n')
  .filter((line) => /^\| `/.test(line))
  .map((line) => {
    const [own, others, , from, , links] = line.slice(1, -1).split('|');
    return {
      own: spans(own),
      others: spans(others),
      from: from.trim(),
      links: [...links.matchAll(/\]\(([^)]+)\)/g)].map(([, address]) => address),
    };
  });

// The text of a section, and of the files that it quotes or sets as exercises.
function sectionAt(address) {
  const [file, anchor] = address.split('#');
  const exercise = /^exercise-(.+)$/.exec(anchor)?.[1];
  const part = exercise
    ? new RegExp(`^\\{\\{exercise \\w+/${exercise}\\}\\}`, 'm').exec(read(file))?.[0]
    : read(file)
        .split(/^(?=## )/m)
        .find((one) => slug(/^## (.*)/.exec(one)?.[1] ?? '') === anchor);
  assert.ok(part, `no section ${address}`);
  const files = [...part.matchAll(/\{\{code (\S+)/g)].map(([, path]) => path);
  for (const [, id] of part.matchAll(/\{\{exercise (\S+?)\}\}/g))
    files.push(
      ...CODE.map(({path}) => path).filter(
        (path) =>
          path.replace('/wrong', '').startsWith(`solutions/${id}`) || path === `labs/${id}.cu`,
      ),
    );
  return [part, ...files.map((path) => readFileSync(join(root, path), 'utf8'))].join('\n');
}

test('names are taken from code, and not from remarks or words', () => {
  const code = `cudaFree(p); // cudaMalloc
    asm volatile("{.reg .pred p; setp.eq.u32 p, 1, 1;\\n"
                 "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {"); ptx::n32_t<0>(); __FILE__`;
  assert.deepEqual([...namesIn(code)].sort(), [
    'cudaFree',
    'ptx::n32_t',
    'wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16',
  ]);
});

test('every name of CUDA in code and chapters has a row, and is in one row only', () => {
  const listed = ROWS.flatMap(({own, others}) => [...own, ...others]);
  assert.deepEqual(
    listed.filter((name, i) => listed.indexOf(name) !== i),
    [],
  );
  const named = new Set(listed);
  // A wrong variant and another way may call what the book does not teach.
  const taught = CODE.filter(({path}) => !/\/(wrong|honest)\//.test(path)).flatMap(({names}) => [
    ...names,
  ]);
  assert.deepEqual(
    [...new Set([...taught, ...inText])].filter((name) => !named.has(name)).sort(),
    [],
  );
});

test('what a row is about is used in the code or the chapters', () => {
  const isUsed = (name) =>
    inCode.has(name) || inText.has(name) || [...inCode].some((one) => one.startsWith(`${name}.`));
  for (const {own} of ROWS) for (const name of own) assert.ok(isUsed(name), name);
});

test('the section that a row leads to has its name', () => {
  for (const {own, links} of ROWS) {
    assert.ok(links.length > 0, own.join());
    for (const address of links)
      for (const name of own) {
        const bare = name.replace(/^(ptx|cg)::/, '');
        assert.ok(sectionAt(address).includes(bare), `${name} is not in ${address}`);
      }
  }
});

test('a header of those named is included by every file that uses what is from it', () => {
  for (const {own, from} of ROWS) {
    const headers = spans(from).filter((span) => /^<[^>]+>$/.test(span));
    assert.ok(headers.length > 0 || /^(built in|PTX ISA, )/.test(from), `${own}: from ${from}`);
    if (headers.length === 0 || headers.includes('<cuda_runtime.h>')) continue; // nvcc includes it by itself
    for (const {path, text, names} of CODE)
      if (own.some((name) => names.has(name)))
        assert.ok(
          headers.some((header) => text.includes(`#include ${header}`)),
          `${path} uses ${own} without ${headers}`,
        );
  }
});

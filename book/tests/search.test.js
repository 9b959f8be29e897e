// What a reader of the field types, and the page that has to come first: with the engine of the search, over the documents of
// the book as it was built, without a browser.
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {test} from 'node:test';
import {engineOf, found} from '../look/search_engine.js';
import {namesOf, searchDocuments} from '../press/search_documents.js';

const build = process.env.COURSE_BOOK_BUILD;
const isBuilt = build !== undefined && existsSync(join(build, 'html', 'documents.js'));
const MiniSearch = isBuilt && createRequire(join(build, 'package.json'))('minisearch');

const documentsOf = (folder) =>
  JSON.parse(
    /= (\[[^]*\]);/.exec(readFileSync(join(build, 'html', folder, 'documents.js'), 'utf8'))[1],
  );

const FIRST = {
  '': {
    occupancy: '03',
    'carve-out': '03',
    TMA: '11',
    'double buffering': '08',
    'register tiling': '08',
    'arithmetic intensity': '08',
    'bank conflict': '01',
    'bank conflicts': '01',
    'warp specialization': '12',
    'wgmma descriptor': '12',
    'dynamic shared memory': '03',
    '48 KB': '03',
    roofline: '08',
    memcpy_async: '08',
    'cuda::barrier': '11',
    'persistent kernel': '12',
    'prefix sum': '07',
    coalesced: '05',
    coalescing: '05',
    'tensor core': '10',
    'tensor cores': '10',
    'cp.async': '08',
    Blackwell: '01',
    'distributed shared memory': '12',
    'vectorized load': '01',
    'thread coarsening': '05',
    'warp divergence': '04',
    halo: '06',
    convolution: '06',
    racecheck: '04',
    'split-k': '10',
    multicast: '12',
    'L1 cache': '03',
    unrolling: '04',
    spilling: '03',
    epilogue: '10',
    'core matrix': '12',
    "Little's law": '04',
    'latency hiding': '03',
    __match_any_sync: '09',
    setmaxnreg: '12',
    'cuda::pipeline': '11',
    'cuda::atomic_ref': '04',
    aligned_size_t: '11',
    mbarrier: '11',
    cluster: '03',
    'halo exchange': '12',
    cuTensorMapEncodeTiled: '11',
    cudaFuncSetAttribute: '03',
    __reduce_add_sync: '07',
  },
  zh: {
    __match_any_sync: '09',
    cudaFuncSetAttribute: '03',
    存储体冲突: '01',
    'bank conflict': '01',
    占用率: '03',
    张量核: '10',
    张量核心: '10',
    'Tensor Core': '10',
    双缓冲: '08',
    合并访问: '05',
    前缀和: '07',
    动态共享内存: '03',
    线程束分化: '04',
    屏障: '01',
    寄存器分块: '08',
    填充: '02',
    存储体: '01',
    异步拷贝: '08',
    屋顶线: '08',
    算术强度: '08',
    线程束专门化: '12',
    核心矩阵: '12',
    多播: '12',
    批量复制: '11',
    寄存器溢出: '03',
    'double buffering': '08',
    roofline: '08',
  },
};

for (const [folder, searches] of Object.entries(FIRST))
  test(`words of the trade lead to their chapter ${folder}`, {skip: !isBuilt}, () => {
    const engine = engineOf(MiniSearch, documentsOf(folder));
    const wrong = Object.entries(searches).flatMap(([asked, chapter]) => {
      const first = found(engine, asked)[0]?.address ?? 'nothing';
      return first.startsWith(`${chapter}_`)
        ? []
        : [`"${asked}" leads to ${first}, not ${chapter}`];
    });
    assert.deepEqual(wrong, []);
  });

const glossary = (row) => ({name: 'glossary', title: 'Words', content: `<table>${row}</table>`});
const page = {name: '01_a', title: 'A', content: '<h2 id="b">B</h2> text of it'};

test('names of a glossary belong to the section that it links to, in English and in the language', () => {
  const row = (word, names) =>
    `<tr><td>${word}</td><td>${names}</td><td>is</td><td><a href="01_a.html#b">1</a></td></tr>`;
  assert.deepEqual(namesOf(glossary(row('one', '<code>two</code>, three'))).get('01_a.html#b'), [
    'one',
    'two',
    'three',
  ]);
  const documents = searchDocuments(
    [page, glossary(row('一', '二、三'))],
    [page, glossary(row('one', 'two'))],
  );
  assert.equal(documents[0].names, '一\n二\n三\none\ntwo');
});

// `course mcp` by a client that is not ours, the protocol's own TypeScript SDK: session.mjs COURSE PROJECT.
//
// Tools are listed, and their answers held to their schemas by the client; a race is found, conflicts are counted; and
// requests that try to read solutions or files get nothing of them.
import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StdioClientTransport} from '@modelcontextprotocol/sdk/client/stdio.js';
import assert from 'node:assert/strict';
import {mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const [course, project] = process.argv.slice(2);
const place = mkdtempSync(join(tmpdir(), 'course-mcp-'));
const mine = join(place, 'mine');
mkdirSync(mine);
process.on('exit', () => rmSync(place, {recursive: true, force: true}));

// Thread 0 adds up what the others are still writing: lines 4 and 6.
const race = `__global__ void total(int* out) {
  __shared__ int part[64];

  part[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0)
    for (int i = 0; i < 64; ++i) out[0] += part[i];
}
int main() {
  int* out;
  cudaMalloc(&out, 4);
  cudaMemset(out, 0, 4);
  total<<<1, 64>>>(out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
`;
// A tile's columns: line 6 has 31 conflicts per request, of which there are 32.
const columns = `#include <cstdio>
__global__ void turn(float* out) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
int main() {
  float* out;
  cudaMalloc(&out, 4096);
  turn<<<1, dim3(32, 32)>>>(out);
  cudaDeviceSynchronize();
  std::puts("it has run");
  return cudaFree(out) != cudaSuccess;
}
`;
const endless = 'int main() { for (volatile int i = 0;; i = i + 1) {} }\n';

async function connected(folder, options = {}) {
  const client = new Client({name: 'test', version: '1'});
  await client.connect(
    new StdioClientTransport({command: course, args: ['mcp', '--folder', folder], stderr: 'inherit', ...options}),
  );
  await client.listTools(); // from then on the client holds answers to their schemas
  return client;
}
const client = await connected(mine);
const call = (name, args, of = client) => of.callTool({name, arguments: args}, undefined, {timeout: 300_000});
const words = (result) => result.content.map((one) => one.text).join('\n');

// Seconds of processor time of each process that has this word on its command line.
const secondsOf = (word) =>
  readdirSync('/proc').flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word)) return [];
      const [user, kernel] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ').slice(11, 13);
      return [(Number(user) + Number(kernel)) / 100];
    } catch {
      return []; // no process, or no more
    }
  });
async function until(look, holds) {
  for (;;) {
    const seen = look();
    if (holds(seen)) return seen;
    await new Promise((go) => setTimeout(go, 50));
  }
}

// ---- what it is for

const {tools} = await client.listTools();
assert.deepEqual(
  tools.map((tool) => tool.name),
  ['run', 'trace', 'banks'],
);
await client.ping();

const raced = await call('run', {source: race});
assert.ok(!raced.isError, words(raced));
const finding = raced.structuredContent.report.findings.find((one) => one.kind === 'race');
assert.deepEqual([finding.line, finding.other_line].sort(), [4, 6]);
assert.equal(finding.file, 'program.cu');
assert.match(words(raced), /race/);

writeFileSync(join(mine, 'turn.cu'), columns);
const turned = await call('run', {file: 'turn.cu'});
assert.equal(turned.structuredContent.stdout, 'it has run\n');
assert.equal(turned.structuredContent.report.launches[0].conflicts, 31 * 32);
const line = turned.structuredContent.report.launches[0].lines.find((one) => one.access === 'shared_load_4');
assert.deepEqual([line.line, line.file, line.ways], [6, 'turn.cu', 32]);
assert.ok(!JSON.stringify(turned).includes('/course-mcp'), 'the folder of copies is shown');

const traced = await call('trace', {file: 'turn.cu', line: 6});
const load = traced.structuredContent.requests.find((one) => one.access === 'shared_load_4');
assert.equal(load.conflicts, 31);
assert.deepEqual(new Set(load.lanes.map((lane) => lane.bank)).size, 1);
assert.match(words(await call('trace', {file: 'turn.cu', line: 1})), /at lines 4, 6/);

const banks = await call('banks', {index: '32*t'});
assert.equal(banks.structuredContent.conflicts, 31);
assert.equal((await call('banks', {index: '33*t'})).structuredContent.conflicts, 0);

// What a program includes from beside it comes with it; nvcc's words and macros; its arguments and exit code.
writeFileSync(join(mine, 'size.h'), 'constexpr int kCode = CODE;\n');
writeFileSync(join(mine, 'code.cu'), '#include "size.h"\nint main(int count, char**) { return kCode + count; }\n');
const coded = await call('run', {file: 'code.cu', define: ['CODE=4'], arguments: ['a', 'b']});
assert.equal(coded.structuredContent.report.exit_code, 7);
const refused = await call('run', {file: 'code.cu'});
assert.ok(refused.isError);
assert.match(words(refused), /size\.h\(1\): error: identifier "CODE" is undefined/);
assert.match(words(await call('run', {source: '__global__ void k() {}'})), /a main\(\)/);
assert.match(words(await call('run', {sauce: ''})), /run: .*source/);
await assert.rejects(call('solve', {}), /no tool solve/);

// ---- ends

const late = await call('run', {source: endless, seconds: 1});
assert.equal(late.structuredContent.report.complete, false);
const word = `given-up-${process.pid}`;
const controller = new AbortController();
const given_up = client.callTool({name: 'run', arguments: {source: endless, seconds: 120, arguments: [word]}}, undefined, {
  signal: controller.signal,
  timeout: 300_000,
});
const before = await until(() => Math.max(0, ...secondsOf(word)), (seconds) => seconds >= 1);
controller.abort();
await assert.rejects(given_up);
let after = before;
const gone = until(
  () => {
    const all = secondsOf(word);
    after = Math.max(after, ...all);
    return all.length;
  },
  (count) => count === 0,
);
assert.ok(!(await call('run', {file: 'turn.cu'})).isError);
await gone;
assert.ok(after - before < 10, `what was given up went on for ${after - before} s of processor time`);

// ---- what is nobody's to read

const secret = 'SECRET_OF_SOMEBODY';
writeFileSync(join(place, 'secret.cu'), `#error ${secret}\n`);
writeFileSync(join(place, 'secret.h'), `#error ${secret}\n`);
symlinkSync(join(place, 'secret.cu'), join(mine, 'link.cu'));
symlinkSync(place, join(mine, 'up'));
const own = join(mine, 'course');
const mark = 'THE_ANSWER';
for (const folder of ['labs/05_transpose', 'solutions/05_transpose', 'attacks/odd'])
  mkdirSync(join(own, folder), {recursive: true});
writeFileSync(join(own, 'labs/05_transpose/2_pad.toml'), `#error ${mark}\n`);
writeFileSync(join(own, 'solutions/05_transpose/2_pad.cu'), `#error ${mark}\n`);
writeFileSync(join(own, 'attacks/odd/x.cu'), `#error ${mark}\n`);
const solution = join(project, 'solutions/05_transpose/2_pad.cu');
const tile = readFileSync(solution, 'utf8').match(/tile\[[^\]]*\]\[[^\]]*\+ *1\]/)?.[0] ?? 'tile[kTile][kTile + 1]';

const includes = (name) => ({source: `#include ${name}\nint main() {}\n`});
const reads = (path) => ({
  source: `#include <cstdio>
int main() {
  std::FILE* file = std::fopen("${path}", "r");
  if (!file) return 9;
  char text[4096];
  while (std::fgets(text, sizeof text, file)) std::fputs(text, stdout);
}
`,
});
const attempts = [
  ['run', {file: '../secret.cu'}],
  ['run', {file: join(place, 'secret.cu')}],
  ['run', {file: 'link.cu'}],
  ['run', {file: 'up/secret.cu'}],
  ['run', {file: 'course/solutions/05_transpose/2_pad.cu'}],
  ['run', {file: 'course/labs/../solutions/05_transpose/2_pad.cu', define: ['__syncthreads=0']}],
  ['run', {file: 'course/attacks/odd/x.cu'}],
  ['run', {file: solution}],
  ['run', {file: 'course/labs/05_transpose/2_pad.toml'}],
  ['trace', {file: solution, line: 20}],
  ['run', includes(`"${join(place, 'secret.h')}"`)],
  ['run', includes('"../secret.h"')],
  ['run', includes(`"${solution}"`)],
  ['run', includes(`<${solution}>`)],
  ['run', includes(`"${join(own, 'labs/05_transpose/2_pad.toml')}"`)],
  ['run', includes(`"/proc/self/cwd/../../..${solution}"`)],
  ['run', {source: `asm(".incbin \\"${solution}\\"");\nint main() {}\n`}],
  ['run', {source: `__asm__(".include \\"${join(place, 'secret.h')}\\"");\nint main() {}\n`}],
  ['run', reads(solution)],
  ['run', reads(join(place, 'secret.h'))],
  ['run', reads('/etc/passwd')],
  ['run', reads(join(project, 'labs/05_transpose/2_pad.toml'))],
  ['run', {source: 'int main() {}', define: [`X="${solution}"`]}],
  ['run', {file: 'turn.cu', define: ['-include', solution]}],
  ['banks', {index: `t`, file: solution}],
];
assert.ok(attempts.length >= 20);
for (const [name, args] of attempts) {
  const result = await call(name, args);
  const said = JSON.stringify(result).replaceAll(JSON.stringify(args).slice(1, -1), '');
  for (const told of [secret, mark, tile, 'root:'])
    assert.ok(!said.includes(told), `${JSON.stringify(args)} got ${told}: ${said}`);
  const opened = result.structuredContent?.report?.exit_code;
  assert.ok(result.isError || opened === 9, `${JSON.stringify(args)} was not refused: ${said}`);
}
console.log(`${attempts.length} attempts got nothing`);

await client.close();
console.log('course mcp does what its clients ask for');

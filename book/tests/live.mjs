// `course serve` in headless Chromium: 05_transpose/2_pad from a fresh start to solved, the playground, and what may go wrong on the
// way, in English and Chinese, by mouse and by keys, wide and on a phone. Over 400 lines, as all of it is one session with one server. Needs nvcc. Prints what is wrong and exits with 1; with BOOK_SHOTS=FOLDER,
// pictures of what was seen.
import {spawn} from 'node:child_process';
import {cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {buildFolder, course as ownCourse} from '../press/folders.js';
import {checkView, conclude, launched, openAt, report, shots, until} from './live_tab.mjs';

const ID = '05_transpose/2_pad';

const course = mkdtempSync(join(tmpdir(), 'course-live-'));
for (const name of ['labs', 'solutions', 'chapters'])
  cpSync(join(ownCourse, name), join(course, name), {recursive: true});
const skeletons = join(buildFolder(), '..', 'share', 'course', 'labs');
cpSync(skeletons, join(course, 'labs'), {recursive: true, force: true});
const fileOf = (id) => join(course, 'labs', `${id}.cu`);
const solution = readFileSync(join(ownCourse, 'solutions', `${ID}.cu`), 'utf8');
const skeleton = readFileSync(fileOf(ID), 'utf8');

// The server, and the address that it prints.
let port = 0;
function serve(...more) {
  const server = spawn(
    process.env.COURSE,
    [
      'serve',
      '--root',
      course,
      '--book',
      join(buildFolder(), 'html'),
      '--device',
      'emulated',
    ].concat(['--no-browser', '--port', String(port)], more),
    {env: {...process.env, LANG: 'C', LANGUAGE: '', LC_ALL: 'C'}},
  );
  server.stderr.pipe(process.stderr);
  return new Promise((done, fail) => {
    let text = '';
    server.on('exit', (code) => fail(new Error(`course serve ended with ${code}`)));
    server.stdout.on('data', (bytes) => {
      text += bytes;
      const address = /http:\S+/.exec(text)?.[0];
      if (!address) return;
      port = Number(/:(\d+)\//.exec(address)[1]);
      done({
        address,
        end: (signal = 'SIGTERM') =>
          new Promise((ended) => {
            server.removeAllListeners('exit');
            server.on('exit', ended);
            server.kill(signal);
          }),
      });
    });
  });
}

const open = (browser, view) => openAt(browser, () => port, view);

// By the printed address, which leads to the book without its key.
async function enter(tab, address, page) {
  await tab.goto(address);
  await tab.waitForURL(`http://127.0.0.1:${port}/`);
  await tab.goto(`http://127.0.0.1:${port}/${page}`);
}

const boxOf = (tab, id = ID) => tab.locator(`section.exercise[data-exercise="${id}"]`);
const editorOf = (tab, id = ID) => boxOf(tab, id).locator('.live-editor .cm-content');
const does = (tab, name) => boxOf(tab).locator(`[data-does=${name}]`);
const head = (tab) => boxOf(tab).locator('.live-head');

const inPlay = (tab, what) => tab.locator('article.playground').locator(what);
const textOf = (tab) => tab.evaluate(() => sessionStorage.getItem('playground'));
async function typeInPlay(tab, text) {
  await inPlay(tab, '.cm-content').click();
  await tab.keyboard.press('Control+A');
  await tab.keyboard.insertText(text);
}
async function shotOfPage(tab, name) {
  if (shots) await tab.screenshot({path: join(shots, `${name}.png`), fullPage: true});
}

async function shot(tab, name, id = ID) {
  if (!shots) return;
  await boxOf(tab, id).scrollIntoViewIfNeeded();
  await tab.screenshot({path: join(shots, `${name}.png`)});
}
async function shotOfBox(tab, name, id = ID) {
  if (shots) await boxOf(tab, id).screenshot({path: join(shots, `${name}.png`)});
}

async function type(tab, text) {
  await editorOf(tab).click();
  await tab.keyboard.press('Control+A');
  await tab.keyboard.insertText(text);
}

const isSaved = (text) =>
  until('the file is saved', () => readFileSync(fileOf(ID), 'utf8') === text);
const comesTo = (tab, words) => head(tab).filter({hasText: words}).waitFor();

const uses = {
  async 'from a fresh start to solved'(browser, {address}) {
    const tab = await open(browser);
    await enter(tab, address, '05_transpose.html');
    await editorOf(tab).filter({hasText: 'transpose'}).waitFor();
    await tab.locator('.contents .done').first().waitFor({state: 'attached'});
    await does(tab, 'grade').click();
    await comesTo(tab, 'Not solved yet. 45 / 60');
    const marked = boxOf(tab).locator('.cm-lintRange-error').first();
    await marked.waitFor();
    const line = await marked.evaluate(
      (one) => [...one.closest('.cm-content').children].indexOf(one.closest('.cm-line')) + 1,
    );
    if (line !== 31) report('2_pad as shipped', `line ${line} is marked, not 31`);
    const words = await boxOf(tab).locator('.live-result pre').textContent();
    for (const wanted of ['31 per request, on line 31', 'lane    0', 'bank    0', 'How far'])
      if (!words.includes(wanted)) report('2_pad as shipped', `the report lacks "${wanted}"`);
    await shotOfBox(tab, 'failed');
    await checkView(tab, 'a failed grading, wide');
    await type(tab, solution);
    await isSaved(solution);
    await tab.keyboard.press('Control+Enter');
    await comesTo(tab, 'Solved.');
    await boxOf(tab).locator('.is-solved').waitFor();
    const done = tab.locator('.side .chapters > li.here .done');
    if (!(await done.textContent()).startsWith('1/'))
      report('solved', 'the contents do not show it');
    await shot(tab, 'solved');
    await tab.reload();
    await comesTo(tab, 'Solved.'); // what was graded last is there again
    await does(tab, 'next').click();
    await tab.waitForURL(/#exercise-3_/);
    await tab.context().close();
  },

  async 'a syntax error, an endless loop, Stop'(browser, {address}) {
    const tab = await open(browser);
    await enter(tab, address, '05_transpose.html');
    await editorOf(tab).filter({hasText: 'transpose'}).waitFor();
    await type(tab, skeleton.replace('__syncthreads();', '__syncthreads()'));
    await does(tab, 'grade').click();
    await comesTo(tab, 'It does not compile.');
    if ((await boxOf(tab).locator('.cm-lintRange-error').count()) === 0)
      report('a syntax error', 'is marked nowhere');
    await shotOfBox(tab, 'syntax');
    const endless = solution.replace('__syncthreads();', 'while (clock64() != 0) __syncthreads();');
    await type(tab, endless);
    await does(tab, 'grade').click();
    await comesTo(tab, 'It did not come to an end.');
    await type(tab, `${endless}// again\n`);
    await does(tab, 'grade').click();
    await until('it is under way', async () => (await does(tab, 'stop').isEnabled()) === true);
    await shotOfBox(tab, 'under way');
    await does(tab, 'stop').click();
    await comesTo(tab, 'Stopped.');
    await type(tab, skeleton);
    await isSaved(skeleton);
    await tab.context().close();
  },

  async 'two who write'(browser, {address}) {
    const tab = await open(browser);
    await enter(tab, address, '05_transpose.html');
    await editorOf(tab).filter({hasText: 'transpose'}).waitFor();
    const outside = `// from outside\n${skeleton}`;
    writeFileSync(fileOf(ID), outside);
    await editorOf(tab).filter({hasText: '// from outside'}).waitFor();
    // Both at once: the page types on while its server does not hear it.
    tab.mayFail = true;
    await tab.route('**/api/save', (route) => route.abort());
    await editorOf(tab).click();
    await tab.keyboard.press('Control+Home');
    await tab.keyboard.insertText('// from the page\n');
    await boxOf(tab).locator('.live-state').filter({hasText: 'connection is lost'}).waitFor();
    writeFileSync(fileOf(ID), `// both\n${outside}`);
    await boxOf(tab).locator('.live-other [role=alert]').waitFor();
    await tab.unroute('**/api/save');
    tab.mayFail = false;
    let asked = 0;
    tab.on('request', (one) => (asked += one.url().endsWith('/api/news')));
    await shotOfBox(tab, 'two who write');
    await checkView(tab, 'two texts');
    if (asked > 10) report('two who write', `asked ${asked} times what is new, while nothing was`);
    // Who takes the change back leaves nothing to choose, and what was typed is saved.
    writeFileSync(fileOf(ID), outside);
    await boxOf(tab).locator('.live-other').waitFor({state: 'hidden'});
    await isSaved(`// from the page\n${outside}`);
    await tab.route('**/api/save', (route) => route.abort());
    tab.mayFail = true;
    await editorOf(tab).click();
    await tab.keyboard.press('Control+Home');
    await tab.keyboard.insertText('// once more\n');
    await boxOf(tab).locator('.live-state').filter({hasText: 'connection is lost'}).waitFor();
    writeFileSync(fileOf(ID), `// both\n${outside}`);
    await boxOf(tab).locator('.live-other [role=alert]').waitFor();
    await tab.unroute('**/api/save');
    tab.mayFail = false;
    await does(tab, 'mine').click();
    await isSaved(`// once more\n// from the page\n${outside}`);
    await boxOf(tab).locator('.live-other code').waitFor();
    const kept = join(course, '.course', 'kept', '05_transpose');
    const texts = readdirSync(kept).map((name) => readFileSync(join(kept, name), 'utf8'));
    if (!texts.includes(`// both\n${outside}`)) report('two who write', 'the other text is lost');
    await does(tab, 'reset').click();
    await isSaved(skeleton);
    await until(
      'the page shows it',
      async () => !(await editorOf(tab).textContent()).includes('from'),
    );
    await does(tab, 'hint').click();
    await boxOf(tab).locator('.live-result pre').filter({hasText: 'hint 1 of 3'}).waitFor();
    await does(tab, 'history').click();
    await boxOf(tab).locator('.live-result pre').filter({hasText: 'runs'}).waitFor();
    await does(tab, 'diff').click();
    await boxOf(tab).locator('.live-result pre').filter({hasText: '---'}).waitFor();
    await tab.context().close();
  },

  async 'a lost connection and its return'(browser, server) {
    const tab = await open(browser);
    await enter(tab, server.address, '05_transpose.html');
    await editorOf(tab).filter({hasText: 'transpose'}).waitFor();
    tab.mayFail = true;
    await server.end('SIGKILL');
    const typed = `// typed while nobody listens\n${skeleton}`;
    await type(tab, typed);
    await tab.locator('.live-notice').filter({hasText: 'connection is lost'}).waitFor();
    await shot(tab, 'lost');
    Object.assign(server, await serve());
    await isSaved(typed);
    await tab.locator('.live-notice').filter({hasText: /^$/}).waitFor({state: 'hidden'});
    // With another key nothing opens, and it says what to do.
    await server.end();
    Object.assign(server, await serve('--new-key'));
    await tab.locator('.live-notice').filter({hasText: 'key'}).waitFor();
    writeFileSync(fileOf(ID), skeleton);
    await tab.context().close();
  },

  async 'by keys alone, on a phone, in Chinese, dark'(browser, {address}) {
    const tab = await open(browser, {width: 400, scheme: 'dark'});
    await enter(tab, address, 'zh/05_transpose.html');
    await editorOf(tab).filter({hasText: 'transpose'}).waitFor();
    // Into the editor by Tab from the task before it, out of it again, and to each button.
    await editorOf(tab).focus();
    await tab.keyboard.press('Control+A');
    await tab.keyboard.insertText(solution);
    await tab.keyboard.press('Control+Enter');
    await comesTo(tab, '已通过');
    await tab.keyboard.press('Tab');
    const focused = () => tab.evaluate(() => document.activeElement?.dataset?.does);
    if ((await focused()) !== 'grade')
      report('keys', `Tab leads from the editor to ${await focused()}`);
    await tab.keyboard.press('Tab');
    await tab.keyboard.press('Enter');
    await boxOf(tab)
      .locator('.live-result pre')
      .filter({hasText: /[\u4e00-\u9fff]/})
      .waitFor();
    await shotOfBox(tab, 'phone');
    await shot(tab, 'phone page');
    await checkView(tab, 'a phone, in Chinese, dark');
    const english = await boxOf(tab)
      .locator('.live-bar button, .live-progress, .live-head, .live-state')
      .allTextContents();
    for (const one of english)
      if (/[A-Za-z]{4,}/.test(one.replace(/Ctrl-Enter/, ''))) report('Chinese', `says "${one}"`);
    await tab.context().close();
  },

  async 'the playground'(browser, server) {
    const tab = await open(browser);
    await tab.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    let runs = 0;
    tab.on('request', (request) => (runs += request.url().endsWith('/api/play') ? 1 : 0));
    // From a figure of a chapter, which opens a program and runs nothing.
    await enter(tab, server.address, '01_banks.html');
    await tab.locator('a.to-play').first().click();
    await inPlay(tab, '.cm-content').filter({hasText: 'row_row'}).waitFor();
    await inPlay(tab, '.live-state').filter({hasText: 'Nothing runs until'}).waitFor();
    await tab.locator('#play-program').selectOption('first');
    await inPlay(tab, '.cm-content').filter({hasText: 'strided'}).waitFor();
    if (runs > 0) report('the playground', 'runs by itself');
    const program = await textOf(tab);
    await inPlay(tab, '.cm-content').click();
    await tab.keyboard.press('Control+Enter');
    await inPlay(tab, '.live-head').filter({hasText: 'It ran.'}).waitFor();
    const behind = inPlay(tab, '.cm-line').filter({hasText: 'words[threadIdx.x * kStride]'});
    if (!(await behind.locator('.cm-behind').textContent()).startsWith('1 conflict'))
      report('the playground', 'does not say what the line costs');
    await inPlay(tab, '.cm-lintRange-warning').first().waitFor();
    const words = await inPlay(tab, '.live-result').innerText();
    for (const wanted of ['lane 31 has 62', 'on the emulated H200', 'strided'])
      if (!words.includes(wanted)) report('the playground', `the result lacks "${wanted}"`);
    await shotOfPage(tab, 'playground');
    await inPlay(tab, '.play-found .to-line').first().click();
    await inPlay(tab, '.play-line summary').last().click();
    await inPlay(tab, '.play-line[open] pre').filter({hasText: 'bank'}).waitFor();
    await shotOfPage(tab, 'playground, a line');
    await checkView(tab, 'the playground, wide');
    // A warp's requests, one by one: the load of every second word, with what it loads.
    const steps = inPlay(tab, '.play-steps');
    const load = await steps.locator('option').filter({hasText: 'line 10'}).getAttribute('value');
    await steps.locator('select').selectOption(load);
    await steps
      .locator('.stepwise-cost')
      .filter({hasText: '2 wavefronts where 1 would do'})
      .waitFor();
    const row = await steps.locator('tbody tr').nth(17).locator('th, td').allTextContents();
    if (row.join(' ') !== '17 136 2 34') report('step by step', `lane 17 says "${row.join(' ')}"`);
    await steps.locator('[data-step="1"]').click();
    await steps.locator('.stepwise-number').filter({hasText: 'step 2/2'}).waitFor();
    await tab.keyboard.press('ArrowLeft');
    await steps.locator('.stepwise-number').filter({hasText: 'step 1/2'}).waitFor();
    await shotOfPage(tab, 'playground, a step');
    await checkView(tab, 'the playground, a step');
    await steps.locator('#stepwise-warp').fill('1');
    await steps.locator('[data-does=run_warp]').click();
    await steps.filter({hasText: 'This warp made no request'}).waitFor();
    // Copied, changed, and opened again: the changed text is not lost.
    await tab.locator('[data-does=link]').click();
    await inPlay(tab, '.live-progress').filter({hasText: 'Copied.'}).waitFor();
    const link = await tab.evaluate(() => navigator.clipboard.readText());
    const broken = program.replace('float host[32];', 'float host[32]');
    await typeInPlay(tab, broken);
    await tab.locator('[data-does=run]').click();
    await inPlay(tab, '.live-head').filter({hasText: 'It does not compile.'}).waitFor();
    await inPlay(tab, '.cm-lintRange-error').first().waitFor();
    await shotOfPage(tab, 'playground, syntax');
    const before = runs;
    await tab.goto(link);
    await inPlay(tab, '.live-state').filter({hasText: 'It came by a link'}).waitFor();
    if ((await textOf(tab)) !== program) report('a link', 'holds another text');
    if (tab.url().includes('#')) report('a link', 'stays in the address');
    await tab.locator('#play-program').selectOption('earlier 0');
    if ((await textOf(tab)) !== broken) report('a link', 'has put away what was typed');
    await tab.goto(`${link.slice(0, -40)}`);
    await inPlay(tab, '.live-state').filter({hasText: 'only a part'}).waitFor();
    if (runs !== before) report('a link', 'runs by itself');
    // Without end, and stopped; then its server is gone.
    const endless = program.replace('__syncwarp();', 'while (clock64() != 0) __syncwarp();');
    await typeInPlay(tab, endless);
    await tab.keyboard.press('Control+Enter');
    await until('it is under way', () => tab.locator('[data-does=stop]').isEnabled());
    await tab.locator('[data-does=stop]').click();
    await inPlay(tab, '.live-head').filter({hasText: 'Stopped.'}).waitFor();
    tab.mayFail = true;
    await server.end('SIGKILL');
    await tab.locator('[data-does=run]').click();
    await inPlay(tab, '.live-progress').filter({hasText: 'does not answer'}).waitFor();
    await tab.locator('.live-notice').filter({hasText: 'connection is lost'}).waitFor();
    Object.assign(server, await serve());
    await tab.locator('.live-notice').filter({hasText: /^$/}).waitFor({state: 'hidden'});
    await tab.context().close();
  },

  async 'the playground by keys alone, on a phone, in Chinese, dark'(browser, {address}) {
    const tab = await open(browser, {width: 400, scheme: 'dark'});
    await enter(tab, address, 'zh/playground.html');
    await inPlay(tab, '.cm-content').focus();
    await tab.keyboard.press('Control+Enter');
    await inPlay(tab, '.live-head').filter({hasText: '程序运行了'}).waitFor();
    const focused = () =>
      tab.evaluate(() => document.activeElement?.dataset?.does ?? document.activeElement?.tagName);
    for (const wanted of ['run', 'link', 'BUTTON', 'PRE', 'SUMMARY']) {
      await tab.keyboard.press('Tab');
      if ((await focused()) !== wanted)
        report('keys', `Tab leads to ${await focused()} in the place of ${wanted}`);
    }
    await tab.keyboard.press('Enter');
    await inPlay(tab, '.play-line[open] pre').waitFor();
    await inPlay(tab, '.stepwise [data-step="1"]').focus();
    await tab.keyboard.press('Enter');
    await inPlay(tab, '.stepwise-number').filter({hasText: '步 2/'}).waitFor();
    await tab.keyboard.press('ArrowRight');
    await inPlay(tab, '.stepwise-number').filter({hasText: '步 3/'}).waitFor();
    await shotOfPage(tab, 'playground on a phone');
    await checkView(tab, 'the playground on a phone');
    const english = await inPlay(
      tab,
      'h1, h2, label, .lead, .live-bar button, .live-head, .live-state, .play-found li, .cost, .stepwise button, .stepwise th, .stepwise .remark',
    ).allTextContents();
    for (const one of english)
      if (/[A-Za-z]{4,}/.test(one.replace(/Ctrl-Enter|wavefront|blockIdx/g, '')))
        report('Chinese', `says "${one}"`);
    await tab.context().close();
  },

  async 'a second server'() {
    const second = await serve().then(
      () => 'starts',
      (error) => error.message,
    );
    if (!/ended with 7/.test(second)) report('a second server', second);
  },
};

const wanted = process.argv.slice(2);
const browser = await launched();
const server = await serve();
try {
  for (const [name, use] of Object.entries(uses)) {
    if (wanted.length > 0 && !wanted.some((one) => name.includes(one))) continue;
    await use(browser, server).catch((error) =>
      report(name, `stops: ${error.message.split('\n').slice(0, 4).join(' ')}`),
    );
    console.log(name);
  }
} finally {
  await browser.close();
  await server.end();
  rmSync(course, {recursive: true, force: true});
}
conclude();

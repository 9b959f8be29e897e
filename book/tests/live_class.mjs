// A class served to browsers: two students by their links, on a computer and on a phone, and the instructor who sees them. Needs nvcc.
// Prints what is wrong and exits with 1; with BOOK_SHOTS=FOLDER, pictures of what was seen.
import {execFileSync, spawn} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {buildFolder, course} from '../press/folders.js';
import {checkView, conclude, launched, openAt, report, shots, until} from './live_tab.mjs';

const ID = '05_transpose/2_pad';
const solution = readFileSync(join(course, 'solutions', `${ID}.cu`), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'course-class-'));
writeFileSync(
  join(folder, 'roster.csv'),
  'id,name,email\n4711,Anna <b>Smith</b>,anna@uni.example\n4712,Bert Maier,bert@uni.example\n',
);
writeFileSync(join(folder, 'instructors.csv'), 'id,name\nprof,Pat Doe\n');
writeFileSync(
  join(folder, 'class.toml'),
  'course = "CS 420"\nzone = "UTC"\n[labs.05_transpose]\ndue = 2000-01-01T12:00:00\n',
);

const freePort = () =>
  new Promise((done) => {
    const one = createServer().listen(0, '127.0.0.1', () => {
      const {port} = one.address();
      one.close(() => done(port));
    });
  });
const port = await freePort();
const address = `http://127.0.0.1:${port}`;
const words = ['serve', '--root', course, '--class', folder, '--address', address];
const env = {...process.env, LANG: 'C', LANGUAGE: '', LC_ALL: 'C'};

const links = Object.fromEntries(
  execFileSync(process.env.COURSE, [...words, '--links'], {env, encoding: 'utf8'})
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => [line.split(',')[0], line.split(',').at(-1)]),
);

const book = join(buildFolder(), 'html');
const server = spawn(
  process.env.COURSE,
  [...words, '--login', 'links', '--port', String(port), '--book', book],
  {env},
);
server.stderr.pipe(process.stderr);
await new Promise((done, fail) => {
  server.stdout.once('data', done);
  server.once('exit', (code) => fail(new Error(`course serve ended with ${code}`)));
});

const open = (browser, view) => openAt(browser, () => port, view);
async function enter(tab, who, page) {
  await tab.goto(links[who]);
  await tab.waitForURL(`${address}/`);
  await tab.goto(`${address}/${page}`);
}
const boxOf = (tab) => tab.locator(`section.exercise[data-exercise="${ID}"]`);
const editorOf = (tab) => boxOf(tab).locator('.live-editor .cm-content');
const does = (tab, name) => boxOf(tab).locator(`[data-does=${name}]`);
const comesTo = (tab, text) => boxOf(tab).locator('.live-head').filter({hasText: text}).waitFor();
const ofClass = (tab, text) => boxOf(tab).locator('.live-class').filter({hasText: text}).waitFor();
async function shot(tab, name) {
  if (shots)
    await tab.screenshot({path: join(shots, `${name}.png`), fullPage: name.includes('page')});
}

const uses = {
  async 'a student solves an exercise and hands it in'(browser) {
    const tab = await open(browser);
    await enter(tab, '4711', '05_transpose.html');
    await editorOf(tab).filter({hasText: 'transpose'}).waitFor();
    await ofClass(tab, 'Due 2000-01-01 12:00 UTC. Not handed in.');
    await does(tab, 'grade').click();
    await comesTo(tab, 'Not solved yet. 45 / 60');
    await editorOf(tab).click();
    await tab.keyboard.press('Control+A');
    await tab.keyboard.insertText(solution);
    await tab.keyboard.press('Control+Enter');
    await comesTo(tab, 'Solved.');
    await does(tab, 'hand_in').click();
    await ofClass(tab, 'That was late.');
    const kept = join(folder, 'handed_in', '4711', 'labs', `${ID}.cu`);
    if (readFileSync(kept, 'utf8') !== solution) report('hand in', 'another text is there');
    await tab.keyboard.press('Escape');
    await editorOf(tab).click();
    await tab.keyboard.press('Control+Home');
    await tab.keyboard.insertText('// more\n');
    await ofClass(tab, 'The text here is another one by now.');
    await boxOf(tab).scrollIntoViewIfNeeded();
    await shot(tab, 'a student of a class');
    await checkView(tab, 'a student of a class');
    if ((await tab.locator('.to-class').count()) > 0)
      report('a student', 'is led to the page of instructors');
    await tab.context().close();
  },

  async 'another one has a file of their own, on a phone, in Chinese'(browser) {
    const tab = await open(browser, {width: 400, scheme: 'dark'});
    await enter(tab, '4712', 'zh/05_transpose.html');
    await editorOf(tab).filter({hasText: 'transpose'}).waitFor();
    if ((await editorOf(tab).textContent()).includes('// more'))
      report('another student', "sees somebody else's text");
    await ofClass(tab, '还没有提交');
    await does(tab, 'grade').click();
    await comesTo(tab, '尚未通过');
    await does(tab, 'hand_in').click();
    await ofClass(tab, '已过截止时间');
    await shot(tab, 'a student on a phone');
    await checkView(tab, 'a student on a phone');
    // What is for instructors is told to nobody else.
    tab.mayFail = true;
    await tab.goto(`${address}/zh/class.html`);
    await tab.locator('.class-now [role=alert]').waitFor();
    if ((await tab.locator('.class-now').textContent()).includes('Anna'))
      report('another student', 'sees the class');
    await tab.context().close();
  },

  async 'the instructor sees both, and the verdict that one saw'(browser) {
    const tab = await open(browser);
    await enter(tab, 'prof', '');
    await tab.locator('.to-class a').first().waitFor({state: 'attached'});
    await tab.goto(`${address}/class.html`);
    const row = (name) => tab.locator('.class-now tr').filter({hasText: name});
    await row('Anna <b>Smith</b>').filter({hasText: '1/1'}).waitFor();
    await row('Bert').filter({hasText: '0/1'}).waitFor();
    await row(ID).first().filter({hasText: 'conflicts 1'}).waitFor();
    await row('Bert').locator('button').click();
    await tab.locator('.class-seen pre').filter({hasText: '32'}).waitFor();
    await shot(tab, 'the page of a class');
    await checkView(tab, 'the page of a class');
    await tab.setViewportSize({width: 400, height: 900});
    await shot(tab, 'the page of a class on a phone');
    await checkView(tab, 'the page of a class on a phone');
    await tab.context().close();
  },

  async 'a link that was taken back opens nothing'(browser) {
    const old = links['4712'];
    execFileSync(process.env.COURSE, [...words, '--links', '--new-link', '4712'], {env});
    const tab = await open(browser);
    tab.mayFail = true;
    await tab.goto(old);
    await until('it says so', async () =>
      (await tab.locator('body').textContent()).includes('ask for a new one'),
    );
    await tab.context().close();
  },
};

const browser = await launched();
try {
  for (const [name, use] of Object.entries(uses)) {
    await use(browser).catch((error) =>
      report(name, `stops: ${error.message.split('\n').slice(0, 4).join(' ')}`),
    );
    console.log(name);
  }
} finally {
  await browser.close();
  server.removeAllListeners('exit');
  server.kill('SIGTERM');
  rmSync(folder, {recursive: true, force: true});
}
conclude();

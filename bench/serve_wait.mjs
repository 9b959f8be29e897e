// What a page adds to a grading: the time from Ctrl-Enter to the verdict on the page beside `course grade` of the same text, in turn,
// in one run. The text was compiled before, so that both wait for the grader alone.
//
//     COURSE=build/release/bin/course COURSE_BOOK_BUILD=build/release/book node bench/serve_wait.mjs [ROUNDS]
import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildFolder, course as ownCourse } from "../book/press/folders.js";
import { launched, openAt } from "../book/tests/live_tab.mjs";

const ID = "05_transpose/2_pad";
const ROUNDS = Number(process.argv[2] ?? 15);
const program = resolve(process.env.COURSE);

const root = mkdtempSync(join(tmpdir(), "course-wait-"));
for (const name of ["labs", "solutions", "chapters"])
  cpSync(join(ownCourse, name), join(root, name), { recursive: true });
const solution = readFileSync(join(ownCourse, "solutions", `${ID}.cu`), "utf8");
writeFileSync(join(root, "labs", `${ID}.cu`), solution);

const server = spawn(program, [
  ...["serve", "--root", root, "--book", join(buildFolder(), "html")],
  ...["--device", "emulated", "--no-browser", "--port", "0"],
]);
const address = await new Promise((found) => {
  let text = "";
  server.stdout.on("data", (bytes) => {
    text += bytes;
    const there = /http:\S+/.exec(text);
    if (there) found(there[0]);
  });
});
const port = Number(/:(\d+)\//.exec(address)[1]);

const seconds = (begun) => (performance.now() - begun) / 1000;
const median = (all) =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];

function byCommand() {
  const begun = performance.now();
  const words = [
    "grade",
    ID,
    "--root",
    root,
    "--device",
    "emulated",
    "--no-next",
  ];
  const { status } = spawnSync(program, words);
  if (status !== 0) throw new Error(`course grade ended with ${status}`);
  return seconds(begun);
}

const browser = await launched();
const tab = await openAt(browser, () => port);
await tab.goto(address);
await tab.goto(`http://127.0.0.1:${port}/05_transpose.html`);
const box = tab.locator(`section.exercise[data-exercise="${ID}"]`);
await box
  .locator(".live-editor .cm-content")
  .filter({ hasText: "transpose" })
  .waitFor();

async function byPage() {
  await tab.evaluate(() =>
    document.querySelectorAll(".live-head").forEach((one) => one.remove()),
  );
  await box.locator(".live-editor .cm-content").click();
  const begun = performance.now();
  await tab.keyboard.press("Control+Enter");
  await box.locator(".live-head").filter({ hasText: "solved" }).waitFor();
  return seconds(begun);
}

byCommand(); // compiles
await byPage();
const page = [];
const command = [];
for (let round = 0; round < ROUNDS; ++round) {
  if (round % 2) page.push(await byPage());
  command.push(byCommand());
  if (round % 2 === 0) page.push(await byPage());
}
await browser.close();
server.kill();
rmSync(root, { recursive: true });

const more = page.map((time, i) => time - command[i]);
for (const [name, all] of [
  ["course grade, s", command],
  ["Ctrl-Enter, s", page],
  ["more, s", more],
])
  console.log(
    `${name.padEnd(18)} median ${median(all).toFixed(2)}, ${Math.min(...all).toFixed(2)} to ${Math.max(...all).toFixed(2)}`,
  );

// A page that `./course serve` serves: its exercises live, and what is solved shown in the contents. The server puts this script at
// the end of each page; a page from a file has none of it.
import {element as e} from '../drawing/html.js';
import {say} from '../words/say.js';
import {ask} from './ask.js';
import {Box} from './box.js';
import {ClassPage} from './class_page.js';
import './live.css';
import {keepAnswers} from './answers.js';
import {chapterOf, nameIn, placesOf, solvedIn} from './places.js';
import {Playground} from './playground.js';
import {inWords} from './refusals.js';
import {linksToPlay} from './to_play.js';

const LOST = () =>
  say('The connection is lost. Your program stays on this page; run it when the server is back.');
const AGAIN_AFTER = 1500; // milliseconds, where the connection is lost

const chapterLinks = [...document.querySelectorAll('.contents .chapters > li > a')];
const places = placesOf(
  chapterLinks.map((link) => ({
    href: link.getAttribute('href'),
    exercises: link.dataset.exercises,
  })),
);
const addressOf = (id) => {
  const folder = document.documentElement.lang.startsWith('zh') ? 'zh/' : '';
  return `/${folder}${chapterOf(id, places)}.html#exercise-${id.split('/')[1]}`;
};

// A word under each chapter of the contents that has exercises, and at each box.
function showSolved({exercises}) {
  const counts = solvedIn(exercises, places);
  for (const link of chapterLinks) {
    const {all, done} = counts.get(nameIn(link.getAttribute('href'))) ?? {};
    if (!all) continue;
    const mark = link.querySelector('.done') ?? link.appendChild(document.createElement('span'));
    mark.className = 'done';
    mark.textContent = `${done}/${all}`;
    mark.setAttribute('aria-label', `${done} / ${all} ${say('solved')}`);
    mark.setAttribute('role', 'img');
    mark.classList.toggle('all', done === all);
  }
  for (const section of document.querySelectorAll('section.exercise[data-exercise]')) {
    const isSolved = exercises[section.dataset.exercise]?.solved;
    section.classList.toggle('solved', Boolean(isSolved));
    const kind = section.querySelector('.kind');
    const mark = kind.querySelector('.is-solved');
    if (isSolved && !mark)
      kind.insertAdjacentHTML('beforeend', ` <span class="is-solved">${say('solved')}</span>`);
  }
}

// In a class: deadlines at each box, and for instructors a way to their page.
function showClass(of) {
  for (const box of boxes) box.isOfClass(of);
  const list =
    document.querySelector('.side .contents .chapters') ??
    document.querySelector('.contents .chapters');
  if (!of.instructs || !list || list.querySelector('.to-class')) return;
  const home = document.documentElement.lang.startsWith('zh') ? '/zh/' : '/';
  list.insertAdjacentHTML(
    'beforeend',
    e(
      'li',
      {class: 'after to-class'},
      e(
        'a',
        {href: `${home}class.html`},
        e('span', {class: 'number'}),
        e('span', {}, say('The class')),
      ),
    ),
  );
}

async function refresh() {
  const state = await ask('state');
  showSolved(state);
  if (state.class) showClass(state.class);
}

async function goNext(from) {
  const {exercises, next} = await ask('state');
  const ids = Object.keys(exercises);
  const after = [...ids.slice(ids.indexOf(from) + 1), ...ids].find((id) => !exercises[id].solved);
  const to = after ?? next;
  if (to && to !== from) location.href = addressOf(to);
}

// One line above the page's text, where something concerns all of it.
const notice = document.createElement('p');
notice.className = 'live-notice';
notice.setAttribute('role', 'alert');
document.querySelector('main').prepend(notice);
const note = (words) => {
  if (notice.textContent !== words) notice.textContent = words;
};

const sections = [...document.querySelectorAll('section.exercise[data-exercise]')];
const boxes = sections.map(
  (section) => new Box(section, section.dataset.exercise, {goNext, solved: () => refresh()}),
);

const page = document.querySelector('article.playground');
const playground = page && new Playground(page);
const classPage = document.querySelector('article.class-page');
if (classPage) new ClassPage(classPage);
const live = playground ? [playground] : boxes;
if (!playground) linksToPlay();

// Asks what is new, again and again, while somebody looks at the page.
async function follow() {
  let revision = 0;
  let ofClass = 0; // how often the instructor has changed it, since the server began
  for (;;) {
    if (document.hidden)
      await new Promise((go) => document.addEventListener('visibilitychange', go, {once: true}));
    try {
      const versions = Object.fromEntries(boxes.map(({id, known}) => [id, known]));
      const news = await ask('news', {revision, versions});
      note('');
      for (const box of boxes) {
        if (news.files[box.id]) box.came(news.files[box.id]);
        if (box.isDirty) box.save();
      }
      for (const one of live) {
        if (news.results[one.id]) one.result(news.results[one.id]);
        one.isGrading(news.grading?.exercise === one.id && news.grading);
      }
      revision = news.revision;
      if ((news.class ?? 0) !== ofClass) await refresh();
      ofClass = news.class ?? 0;
    } catch (error) {
      note(playground && error.why === 'lost' ? LOST() : inWords(error.why));
      await new Promise((go) => setTimeout(go, AGAIN_AFTER));
    }
  }
}

keepAnswers();
refresh().catch((error) => note(inWords(error.why)));
if (live.length > 0) follow();

// The class as its instructors see it: each exercise, each student, and the verdict that a student saw.
import {element as e, escape} from '../drawing/html.js';
import {say} from '../words/say.js';
import {ask} from './ask.js';
import {inWords} from './refusals.js';
import {headOf, terminal} from './report.js';

const AGAIN = 10000; // milliseconds
const HERE = 300; // seconds since somebody's last request

const count = (number, words) => `${number} ${words}`;
const head = (...titles) =>
  e(
    'thead',
    {},
    e(
      'tr',
      {},
      titles.map((title) => e('th', {scope: 'col'}, title)),
    ),
  );
const table = (label, titles, rows) =>
  e(
    'div',
    {class: 'class-table', tabindex: 0, role: 'region', 'aria-label': label},
    e('table', {}, head(...titles), e('tbody', {}, rows)),
  );

// "3 min", of seconds; nothing where somebody has not been here since the server began.
export function ago(seconds) {
  if (seconds === undefined) return '';
  if (seconds < 60) return say('now');
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return `${Math.floor(seconds / 3600)} h`;
}

// "conflicts 3, output 1": what holds up those who are not through.
export const heldUp = (failing) =>
  Object.entries(failing)
    .sort(([, one], [, other]) => other - one)
    .map(([check, many]) => `${escape(check)} ${many}`)
    .join(', ');

export function summary({students, queue, at_work: atWork}) {
  const here = students.filter(({seen_ago: seen}) => seen !== undefined && seen < HERE).length;
  return [
    count(students.length, say('students')),
    count(here, say('here in the last five minutes')),
    count(atWork, say('gradings under way')),
    count(queue, say('waiting')),
  ].join(' · ');
}

const exerciseRows = (exercises) =>
  exercises.map(({id, title, tried, solved, attempts, failing}) =>
    e(
      'tr',
      {},
      e('th', {scope: 'row', title: escape(title)}, e('code', {}, escape(id))),
      e('td', {}, tried),
      e('td', {}, solved),
      e('td', {}, attempts ?? ''),
      e('td', {}, heldUp(failing)),
    ),
  );

// The exercise that somebody was at last.
const latest = (exercises) =>
  Object.entries(exercises).sort(
    ([, one], [, other]) => (other.last_at ?? 0) - (one.last_at ?? 0),
  )[0];

const isSolved = ({until_solved: until}) => until > 0;

function doingOf({grading}) {
  if (!grading) return '';
  const where = grading.place > 0 ? `${say('Waiting; place')} ${grading.place}` : say('Grading');
  return `${where}: ${escape(grading.exercise)}`;
}

function lastOf(student) {
  const last = latest(student.exercises);
  if (!last) return '';
  const [id, {attempts, failed}] = last;
  if (attempts === undefined) return escape(id);
  const words = `${escape(id)}: ${failed ? escape(failed) : say('solved')}`;
  return e(
    'button',
    {
      type: 'button',
      class: 'to-line',
      'data-student': escape(student.id),
      'data-exercise': escape(id),
    },
    words,
  );
}

function studentRow(student) {
  const all = Object.values(student.exercises);
  return e(
    'tr',
    {},
    e('th', {scope: 'row'}, escape(student.name || student.id)),
    e('td', {}, ago(student.seen_ago)),
    e('td', {}, `${all.filter(isSolved).length}/${all.filter((one) => one.attempts).length}`),
    e('td', {}, all.filter((one) => one.handed_in_at).length || ''),
    e('td', {}, lastOf(student)),
    e('td', {}, doingOf(student)),
  );
}

// What is wrong with a file of the instructor's that was written since; `where`: "roster.csv:12", or what who read it says.
const FAULTS = {
  no_roster: ({where}) => `${where}: ${say('the list is missing')}`,
  nobody: ({where}) => `${where}: ${say('the list names nobody')}`,
  no_plain_name: ({where, who}) =>
    `${where}: ${who}: ${say('an id, a login or an e-mail address of plain letters is needed')}`,
  twice: ({where, who}) => `${where}: ${who}: ${say('is in roster.csv as well')}`,
  unknown: ({where, who}) => `${where}: ${who}: ${say('is nobody of the class, or more than one')}`,
  unreadable: ({where}) => where,
};
const faultHtml = (fault) =>
  e(
    'div',
    {class: 'class-fault', role: 'alert'},
    e(
      'p',
      {},
      say('A file of the class cannot be used as it is now. What held before still does.'),
    ),
    e('p', {}, e('code', {}, escape(FAULTS[fault.why](fault)))),
  );

export const overviewHtml = (all) =>
  (all.fault ? faultHtml(all.fault) : '') +
  e('p', {class: 'class-summary', role: 'status'}, summary(all)) +
  e('h2', {}, say('Exercises')) +
  (all.exercises.length > 0
    ? table(
        say('Exercises'),
        [
          say('exercise'),
          say('tried by'),
          say('solved by'),
          say('attempts until solved, median'),
          say('what holds up the others'),
        ],
        exerciseRows(all.exercises),
      )
    : e('p', {}, say('Nobody has graded anything yet.'))) +
  e('h2', {}, say('Students')) +
  table(
    say('Students'),
    [
      say('student'),
      say('seen'),
      say('solved, of those tried'),
      say('handed in'),
      say('last verdict'),
      say('now'),
    ],
    all.students.map(studentRow),
  ) +
  e('div', {class: 'class-seen', 'aria-live': 'polite'});

export class ClassPage {
  constructor(article) {
    this.place = article.querySelector('.class-now');
    this.place.addEventListener('click', ({target}) => {
      const button = target.closest('button[data-student]');
      if (button) this.show(button.dataset);
    });
    this.follow();
  }

  async follow() {
    for (;;) {
      try {
        if (!document.hidden) this.paint(await ask('class'));
      } catch (error) {
        this.place.innerHTML = e('p', {role: 'alert'}, inWords(error.why));
        if (error.status === 404) return; // not an instructor
      }
      await new Promise((go) => setTimeout(go, AGAIN));
    }
  }

  // What somebody reads or has the focus on stays.
  paint(all) {
    const seen = this.place.querySelector('.class-seen')?.innerHTML ?? '';
    const {student, exercise} = document.activeElement?.dataset ?? {};
    this.place.innerHTML = overviewHtml(all);
    this.place.querySelector('.class-seen').innerHTML = seen;
    if (!student) return;
    const same = [...this.place.querySelectorAll('button[data-student]')].find(
      ({dataset}) => dataset.student === student && dataset.exercise === exercise,
    );
    same?.focus({preventScroll: true});
  }

  async show({student, exercise}) {
    const place = this.place.querySelector('.class-seen');
    try {
      const facts = await ask('seen', {student, exercise});
      const {kind, words} = headOf(facts);
      place.innerHTML =
        e('h2', {}, `${escape(student)}, ${escape(exercise)}`) +
        e('p', {class: `live-head ${kind}`}, escape(words)) +
        terminal(facts.report, say('report'));
      place.scrollIntoView({block: 'nearest'});
    } catch (error) {
      place.innerHTML = e('p', {role: 'alert'}, inWords(error.why));
    }
  }
}

// What a copy for students (course publish) has not: solutions, wrong variants and honest ways, and traces of them. The book that is
// made there says so where they would be quoted; everywhere else, a file that is missing is an error.
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {course} from './folders.js';
import {element as e} from '../drawing/html.js';

const ANSWERS = [[/^solutions\//, join(course, 'solutions')]];

export class Withheld extends Error {}

// Throws Withheld where `path` is an answer, and this is a copy without answers.
export function expectGiven(path, answers = ANSWERS) {
  if (answers.some(([is, folder]) => is.test(path) && !existsSync(folder)))
    throw new Withheld(`${path} is not given to students`);
}

export const withheldHtml = () =>
  e('p', {class: 'remark withheld'}, 'A solution stands here in the book of your instructor.');

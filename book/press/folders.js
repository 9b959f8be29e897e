// Where things are. The build folder holds what is made, the npm packages among it; the tree holds only sources.
import {existsSync, readdirSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const book = join(root, 'book');

// The course that the book is of: this one, or one of somebody's own, whose folder COURSE_BOOK_OF names.
const own = process.env.COURSE_BOOK_OF && resolve(process.env.COURSE_BOOK_OF);
export const course = own || root;
export const isOwn = course !== root;
export const labs = join(course, 'labs');
export const chapters = join(course, 'chapters');
// How an author calls the press.
export const press = isOwn
  ? `./course book --root ${process.env.COURSE_BOOK_OF}`
  : 'node book/press/press.mjs';

// COURSE_BOOK_BUILD, or the first build folder of the tree in which the book was built.
export function buildFolder() {
  if (process.env.COURSE_BOOK_BUILD) return resolve(process.env.COURSE_BOOK_BUILD);
  const builds = join(root, 'build');
  const found = existsSync(builds)
    ? readdirSync(builds)
        .map((name) => join(builds, name, 'book'))
        .find((folder) => existsSync(join(folder, 'node_modules')))
    : undefined;
  if (!found)
    throw new Error(
      'the book was never built here: run ./course book once, or set COURSE_BOOK_BUILD',
    );
  return found;
}

// Every exercise of a lab, such as "05_transpose": ids in order. Of what is no lab, none.
export const exercisesIn = (lab) =>
  /^\d\d_/.test(lab) && existsSync(join(labs, lab))
    ? readdirSync(join(labs, lab))
        .filter((name) => name.endsWith('.cu'))
        .sort()
        .map((name) => `${lab}/${name.slice(0, -3)}`)
    : [];

// A npm package from the build folder.
export const load = (name) => createRequire(join(buildFolder(), 'package.json'))(name);
export const packageFile = (path) => join(buildFolder(), 'node_modules', path);

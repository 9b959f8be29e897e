// Which chapter sets an exercise: the one that is called as its lab, unless the contents name it at another.

// The chapters' names by exercise, of those that another chapter sets; `links`: the chapters in the contents.
export const placesOf = (links) =>
  new Map(
    links.flatMap(({href, exercises = ''}) =>
      exercises
        .split(' ')
        .filter(Boolean)
        .map((id) => [id, nameIn(href)]),
    ),
  );

export const nameIn = (href) => /([^/]+)\.html$/.exec(href)?.[1];

export const chapterOf = (id, places) => places.get(id) ?? id.split('/')[0];

// {all, done} by chapter; `exercises`: {id: {solved}}.
export function solvedIn(exercises, places) {
  const chapters = new Map();
  for (const [id, {solved}] of Object.entries(exercises)) {
    const name = chapterOf(id, places);
    const {all, done} = chapters.get(name) ?? {all: 0, done: 0};
    chapters.set(name, {all: all + 1, done: done + (solved ? 1 : 0)});
  }
  return chapters;
}

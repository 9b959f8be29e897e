// What is typed in the playground stays in the browser: this tab's text, the last one of any tab for the next that is opened, and
// the last few that others took the place of.
const TEXT = 'playground';
const EARLIER = 'playground earlier';
const MOST = 5;

// A browser may keep nothing, or no more.
const read = (storage, name) => {
  try {
    return globalThis[storage].getItem(name);
  } catch {
    return null;
  }
};
const write = (storage, name, text) => {
  try {
    globalThis[storage].setItem(name, text);
  } catch {
    /* then it is on the page alone */
  }
};

export const keptText = () => read('sessionStorage', TEXT) ?? read('localStorage', TEXT);
export function keepText(text) {
  write('sessionStorage', TEXT, text);
  write('localStorage', TEXT, text);
}

// [{text, when}], the latest first; `when`: milliseconds.
export function earlierTexts() {
  try {
    const all = JSON.parse(read('localStorage', EARLIER) ?? '[]');
    return all.filter(({text, when}) => typeof text === 'string' && Number.isFinite(when));
  } catch {
    return [];
  }
}
export function keepEarlier(text, when = Date.now()) {
  const others = earlierTexts().filter((one) => one.text !== text);
  write('localStorage', EARLIER, JSON.stringify([{text, when}, ...others].slice(0, MOST)));
}

// Two rules for numbers in the text. Sizes are KiB, MiB and GiB, which are powers of two: "KB" stands only in what is
// quoted from a document. And what somebody measured is not typed: a number with a unit of time, rate or share, one with
// a fraction, and a large one come from {{= … }}.
import {proseOf} from './spelling.js';

const UNIT =
  /^[ -]?(?:µs|ns|ms|microseconds|milliseconds|cycles|[GT]B\/s|[GT]FLOP\/s|[GM]Hz|%|per cent|times as)/;
const LARGE = 100_000;
const isVersion = (number) => /^\d{1,2}\.0$/.test(number); // since 9.0; CUDA 13.0
const CAPABILITY = /compute capability \d+\.\d/gi;

// The numbers of a line of prose that should be quoted: those with a unit, with a fraction, or large.
export function typedNumbers(prose) {
  const found = [];
  for (const match of prose.matchAll(/(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w.]*\w)/g)) {
    const number = match[0].replace(/,$/, '');
    const rest = prose.slice(match.index + number.length);
    if (
      UNIT.test(rest) ||
      (number.includes('.') && !isVersion(number)) ||
      Number(number.replaceAll(',', '')) >= LARGE
    )
      found.push(number);
  }
  return found;
}

// Problems as "chapters/file:line: sentence". In quotation marks stands what others wrote.
export function wordingProblems(files) {
  return files.flatMap(({file, text}) =>
    proseOf(text).flatMap((line, i) => {
      const own = line.replace(/"[^"]*"/g, ' ').replace(CAPABILITY, ' ');
      const at = `chapters/${file}:${i + 1}: `;
      const unit = /\b[KMG]B\b(?!\/s)/.exec(own)?.[0];
      return [
        ...(unit ? [`${at}${unit}: a size is in ${unit[0]}iB, which is a power of two`] : []),
        ...typedNumbers(own).map(
          (number) => `${at}${number} is typed: a number that was measured is quoted, {{= … }}`,
        ),
      ];
    }),
  );
}

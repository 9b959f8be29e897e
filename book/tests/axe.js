// What axe has to say of a page that is open.
import {readFileSync} from 'node:fs';
import {packageFile} from '../press/folders.js';

const axe = readFileSync(packageFile('axe-core/axe.min.js'), 'utf8');

// To be asked once a page. Pictures are images with a label: axe has no interest in what is inside them, and they are large.
export async function prepareAxe(tab) {
  await tab.evaluate(() =>
    document.querySelectorAll('.picture svg').forEach((one) => one.replaceChildren()),
  );
  await tab.evaluate(axe);
}

// Violations that keep somebody from reading the page as it is now.
export async function seriousViolations(tab) {
  const {violations} = await tab.evaluate(() =>
    window.axe.run(document, {resultTypes: ['violations'], preload: false}),
  );
  return violations.filter(({impact}) => impact === 'serious' || impact === 'critical');
}

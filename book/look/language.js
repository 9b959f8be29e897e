// The switch between the languages: it is a choice that is kept, and it leads to the same place of the page. A page has the same
// blocks in each language, so a place is the number of a block of the text and how much of it has passed, in thousandths.
const HEAD = 80; // pixels of the page's head

const blocks = () => [...document.querySelectorAll('article > :not(.remark, script)')];
const boxOf = (block) => {
  const {top, height} = block.getBoundingClientRect();
  return {top: top + scrollY, height};
};

function placeNow() {
  const all = blocks(),
    at = scrollY + HEAD;
  const i = Math.max(
    0,
    all.findLastIndex((one) => one.getClientRects().length > 0 && boxOf(one).top <= at),
  );
  const {top, height} = boxOf(all[i]);
  return `at-${i}-${Math.round(1000 * Math.min(1, (at - top) / Math.max(1, height)))}`;
}

// At once, and again when letters and pictures are there, which move what is below them.
function goTo(block, thousandths) {
  const go = () => {
    const all = blocks();
    const {top, height} = boxOf(all[Math.min(block, all.length - 1)]);
    scrollTo({top: top + (height * thousandths) / 1000 - HEAD, behavior: 'instant'});
  };
  go();
  document.fonts.ready.then(go);
  if (document.readyState !== 'complete') addEventListener('load', go, {once: true});
}

export function staysInPlace() {
  const at = /^#at-(\d+)-(\d+)$/.exec(location.hash);
  if (at) {
    goTo(Number(at[1]), Number(at[2]));
    history.replaceState(null, '', location.pathname);
  }
  for (const link of document.querySelectorAll('a.language'))
    link.addEventListener('click', () => {
      try {
        localStorage.setItem('language', link.dataset.code);
      } catch {
        /* a page from a file may have no storage */
      }
      link.hash = scrollY > 100 ? placeNow() : '';
    });
}

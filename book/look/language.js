// The switch between the languages: it is a choice that is kept, and it leads to the same place of the page. A page has the same
// paragraphs in each language, so a place is the number of the last one that begins above the page's text in sight.
const PLACES = 'article :is(p, h1, h2, h3, li, table, figure, section):not(.remark, details *)';

const places = () => [...document.querySelectorAll(PLACES)];

// Below the page's head; once more when the page's letters are there, which move what is below them.
function goTo(place) {
  const go = () =>
    place && scrollTo({top: place.getBoundingClientRect().top + scrollY - 80, behavior: 'instant'});
  go();
  document.fonts.ready.then(go);
}

export function staysInPlace() {
  const at = /^#at-(\d+)$/.exec(location.hash)?.[1];
  if (at) {
    goTo(places()[Number(at)]);
    history.replaceState(null, '', location.pathname);
  }
  for (const link of document.querySelectorAll('a.language'))
    link.addEventListener('click', () => {
      try {
        localStorage.setItem('language', link.dataset.code);
      } catch {
        /* a page from a file may have no storage */
      }
      const isPassed = (one) =>
        one.getClientRects().length > 0 && one.getBoundingClientRect().top < 100;
      const seen = places().map(isPassed).lastIndexOf(true);
      link.hash = scrollY > 100 && seen >= 0 ? `at-${seen}` : '';
    });
}

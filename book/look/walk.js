// Walking through the book: arrow keys turn pages, and the contents show which section is in sight.
export function pagerKeys() {
  addEventListener('keydown', (event) => {
    const isTyping = event.target.closest(
      'input, select, textarea, summary, [tabindex="0"], button',
    );
    if (isTyping || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const rel = {ArrowLeft: 'prev', ArrowRight: 'next'}[event.key];
    const link = rel && document.querySelector(`.pager a[rel="${rel}"]`);
    if (link) location.href = link.href;
  });
}

export function sectionInSight() {
  const links = new Map(
    [...document.querySelectorAll('.side .sections a')].map((link) => [link.hash.slice(1), link]),
  );
  if (links.size === 0) return;
  const headings = [...links.keys()].map((id) => document.getElementById(id));
  const side = document.querySelector('.side');
  const mark = () => {
    const passed = headings
      .filter((heading) => heading.getBoundingClientRect().top < innerHeight / 3)
      .at(-1);
    for (const [id, link] of links) link.classList.toggle('in-sight', id === passed?.id);
    if (!passed) return;
    // The contents may be longer than the window: they follow, and the page itself stays where it is.
    const link = links.get(passed.id).getBoundingClientRect(),
      frame = side.getBoundingClientRect();
    if (link.bottom > frame.bottom - 60) side.scrollTop += link.bottom - frame.bottom + 60;
    else if (link.top < frame.top + 60) side.scrollTop -= frame.top + 60 - link.top;
  };
  addEventListener('scroll', mark, {passive: true});
  mark();
}

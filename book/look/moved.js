// Old addresses: what is asked for by name and stands on another page now, as the page's article says, is gone to.
export const movedTo = (hash, moved) =>
  Object.hasOwn(moved, hash.slice(1)) ? moved[hash.slice(1)] : undefined;

export function followsMoved() {
  const said = document.querySelector('article[data-moved]')?.dataset.moved;
  if (!said) return;
  const follow = () => {
    const to = movedTo(location.hash, JSON.parse(said));
    if (to) location.replace(to);
  };
  addEventListener('hashchange', follow);
  follow();
}

// What sorts and filters the students on a class's page. The page allows this script alone, by its
// digest: what a student wrote can never be one.
#pragma once

namespace course::report {

// The SHA-256 of kClassScript, in base64. A test says when it is another one.
inline constexpr const char* kClassScriptDigest = "TM6NlSJatCvOIkq88LJTsyWBx0j/6Wva+pos49EtSKs=";

inline constexpr const char* kClassScript = R"js(
const table = document.querySelector(".students"), rows = [...table.tBodies[0].rows];
const value = (row, column) => {
  const cell = row.cells[column];
  return cell.className === "n" ? parseFloat(cell.dataset.value) : cell.textContent.toLowerCase();
};
let sorted = -1;
[...table.tHead.rows[0].cells].forEach((head, column) => {
  const button = document.createElement("button");
  button.textContent = head.textContent;
  head.replaceChildren(button);
  button.onclick = () => {
    const down = sorted === column;
    sorted = down ? -1 : column;
    rows.sort((a, b) => {
      const x = value(a, column), y = value(b, column);
      return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1);
    });
    table.tBodies[0].append(...rows);
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
  };
});
const filter = document.createElement("input");
filter.type = "search";
filter.placeholder = table.dataset.filter;
filter.setAttribute("aria-label", table.dataset.meaning);
filter.oninput = () => {
  const words = filter.value.toLowerCase().split(/\s+/);
  for (const row of rows)
    row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
};
table.before(filter);
)js";

} // namespace course::report

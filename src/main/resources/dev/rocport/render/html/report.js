"use strict";
// Shows the findings of the data block. Text of the data becomes text nodes, never markup.
(() => {
  const byId = (id) => document.getElementById(id);
  const root = document.documentElement;

  const THEMES = ["system", "light", "dark"];
  const themeButton = byId("theme");
  const theme = (name) => {
    if (name === "system") {
      root.removeAttribute("data-theme");
    } else {
      root.setAttribute("data-theme", name);
    }
    themeButton.textContent = "Theme: " + name;
  };
  themeButton.hidden = false;
  themeButton.addEventListener("click", () => {
    const now = root.getAttribute("data-theme") || "system";
    theme(THEMES[(THEMES.indexOf(now) + 1) % THEMES.length]);
  });

  const block = byId("data");
  if (!block) {
    return;
  }
  const data = JSON.parse(block.textContent);
  const SEVERITIES = ["note", "warning", "error"];
  const DISPOSITIONS = ["ported", "review", "unported"];
  const STATES = ["new", "known", "suppressed"];
  const text = (n) => data.texts[n];
  const rules = new Map(data.rules.map((r) => [text(r[0]), { title: text(r[1]), why: text(r[2]) }]));
  const all = data.findings.map((f, index) => ({
    index,
    rule: text(f[0]),
    severity: SEVERITIES.indexOf(text(f[1])),
    disposition: DISPOSITIONS.indexOf(text(f[2])),
    path: text(f[3]),
    line: f[4],
    column: f[5],
    message: text(f[6]),
    advice: text(f[7]),
    snippet: text(f[8]),
    fingerprint: f[9],
    state: STATES.indexOf(text(f[10])),
    reason: text(f[11]),
    hay: "",
  }));

  const form = byId("filter");
  const rows = byId("rows");
  const count = byId("count");
  const pages = byId("pages");
  const size = byId("size");
  let shown = all;
  let first = 0;
  let sort = { key: "severity", down: true };

  const el = (tag, kind, content) => {
    const e = document.createElement(tag);
    if (kind) {
      e.className = kind;
    }
    if (content !== undefined) {
      e.textContent = content;
    }
    return e;
  };
  const code = (content) => {
    const td = el("td", "code");
    td.append(el("code", "", content));
    return td;
  };
  const place = (f) => (f.line === 0 ? f.path : f.path + ":" + f.line + ":" + f.column);

  const row = (f) => {
    const tr = el("tr", STATES[f.state] + "-row");
    const severity = el("td");
    severity.append(el("span", "badge " + SEVERITIES[f.severity], SEVERITIES[f.severity]));
    const what = el("td", "what");
    what.append(el("span", "", f.message));
    if (f.snippet) {
      const pre = el("pre");
      pre.append(el("code", "", f.snippet));
      what.append(pre);
    }
    if (f.advice) {
      what.append(el("p", "advice", f.advice));
    }
    if (f.state === 2) {
      what.append(el("p", "advice", "Suppressed: " + f.reason));
    }
    const rule = rules.get(f.rule);
    const more = el("details");
    more.append(el("summary", "", "About " + f.rule));
    more.append(el("p", "", rule ? rule.title + ". " + rule.why : "This rule has no description."));
    const print = el("p", "", "Fingerprint ");
    print.append(el("code", "", f.fingerprint));
    more.append(print);
    what.append(more);
    const became = DISPOSITIONS[f.disposition] + (f.state === 0 ? "" : ", " + STATES[f.state]);
    tr.append(severity, code(place(f)), code(f.rule), el("td", "", became), what);
    return tr;
  };

  const number = (n) => n.toLocaleString("en");
  const pageSize = () => Number(size.value);

  const show = () => {
    const n = pageSize();
    rows.replaceChildren(...shown.slice(first, first + n).map(row));
    count.textContent =
      shown.length === all.length
        ? number(all.length) + " findings"
        : number(shown.length) + " of " + number(all.length) + " findings";
    const last = Math.min(first + n, shown.length);
    byId("page").textContent =
      shown.length === 0 ? "none" : number(first + 1) + "–" + number(last) + " of " + number(shown.length);
    for (const b of pages.querySelectorAll("button")) {
      const back = b.dataset.to === "first" || b.dataset.to === "previous";
      b.disabled = back ? first === 0 : last >= shown.length;
    }
  };

  const ORDERS = {
    severity: (a, b) => a.severity - b.severity,
    place: (a, b) => compare(a.path, b.path) || a.line - b.line || a.column - b.column,
    rule: (a, b) => compare(a.rule, b.rule),
    became: (a, b) => a.disposition - b.disposition || a.state - b.state,
    what: (a, b) => compare(a.message, b.message),
  };
  const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

  const ticked = (name, values) => {
    const boxes = [...form.querySelectorAll('input[name="' + name + '"]')];
    const on = new Set(boxes.filter((b) => b.checked).map((b) => values.indexOf(b.value)));
    return boxes.length === 0 ? () => true : (v) => on.has(v);
  };

  const apply = () => {
    const words = byId("search").value.toLowerCase().split(/\s+/).filter((w) => w);
    const path = byId("path").value.trim().toLowerCase();
    const rule = byId("rule").value;
    const severity = ticked("severity", SEVERITIES);
    const disposition = ticked("disposition", DISPOSITIONS);
    const state = ticked("state", STATES);
    shown = all.filter((f) => {
      if (!severity(f.severity) || !disposition(f.disposition) || !state(f.state)) {
        return false;
      }
      if ((rule && f.rule !== rule) || (path && !f.path.toLowerCase().includes(path))) {
        return false;
      }
      if (words.length === 0) {
        return true;
      }
      if (!f.hay) {
        f.hay = [f.rule, place(f), f.message, f.advice, f.snippet, f.fingerprint, f.reason].join("\n").toLowerCase();
      }
      return words.every((w) => f.hay.includes(w));
    });
    const order = ORDERS[sort.key];
    const sign = sort.down ? -1 : 1;
    shown.sort((a, b) => sign * order(a, b) || a.index - b.index);
    first = 0;
    show();
  };

  for (const th of byId("table").querySelectorAll("th[data-sort]")) {
    const button = el("button", "", th.textContent);
    button.type = "button";
    th.replaceChildren(button);
    button.addEventListener("click", () => {
      const key = th.dataset.sort;
      sort = { key, down: sort.key === key ? !sort.down : key === "severity" || key === "became" };
      marks();
      apply();
    });
  }
  const marks = () => {
    for (const th of byId("table").querySelectorAll("th[data-sort]")) {
      const here = th.dataset.sort === sort.key;
      th.setAttribute("aria-sort", here ? (sort.down ? "descending" : "ascending") : "none");
    }
  };

  let waiting = 0;
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, 100);
  });
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    apply();
  });
  form.addEventListener("reset", () => setTimeout(apply, 0));
  size.addEventListener("change", show);
  pages.addEventListener("click", (e) => {
    const to = e.target.dataset.to;
    const n = pageSize();
    const end = Math.max(0, Math.floor((shown.length - 1) / n) * n);
    if (!to) {
      return;
    }
    first = { first: 0, previous: Math.max(0, first - n), next: Math.min(end, first + n), last: end }[to];
    show();
  });

  // Links from parts of the page to their findings.
  document.addEventListener("click", (e) => {
    const link = e.target.closest("a[data-rule], a[data-path]");
    if (link) {
      form.reset();
      byId("rule").value = link.dataset.rule || "";
      byId("path").value = link.dataset.path || "";
      apply();
      e.preventDefault(); // navigating to the anchor would move the focus
      byId("findings").scrollIntoView();
      byId(link.dataset.rule ? "rule" : "path").focus({ preventScroll: true });
    }
  });

  // Print all findings that pass the filter.
  window.addEventListener("beforeprint", () => {
    rows.replaceChildren(...shown.map(row));
    for (const d of rows.querySelectorAll("details")) {
      d.remove();
    }
  });
  window.addEventListener("afterprint", show);

  form.hidden = false;
  pages.hidden = false;
  marks();
  apply();
  root.dataset.ready = String(Math.round(performance.now())); // for measurements
})();

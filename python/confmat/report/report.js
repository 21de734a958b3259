"use strict";
// Controls are made here, so that a page without scripts has none that do nothing. Texts of the log
// reach the page as textContent alone.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const DASH = "–";
  const page = document;

  const make = (name, attributes = {}, ...children) => {
    const out = page.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key in out && typeof value !== "string") out[key] = value;
      else out.setAttribute(key, value);
    }
    out.append(...children);
    return out;
  };
  const draw = (name, attributes) => {
    const out = page.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) out.setAttribute(key, value);
    return out;
  };
  const dataOf = (root) => JSON.parse(root.querySelector(":scope > .data").textContent);
  const toolsOf = (root) => root.querySelector(":scope > .tools");

  const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
  const isKnown = (x) => x !== null && x !== undefined && !Number.isNaN(x);
  const count = (n) => (isKnown(n) ? grouped.format(n) : DASH);
  const short = (x, digits) => {
    if (x === 0) return "0";
    const [front, power] = x.toExponential(digits - 1).split("e").map(Number);
    if (power >= -4 && power < digits) return String(Number(x.toPrecision(digits)));
    return `${front}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  };
  const number = (x, places = 3) => {
    if (!isKnown(x)) return DASH;
    const size = Math.abs(x);
    let word = size.toFixed(places);
    if (size > 0 && size < 10 ** (1 - places)) word = short(size, 2);
    else if (size >= 1e6) word = short(size, 6);
    return (x < 0 ? "−" : "") + word;
  };
  const pValue = (p) => (!isKnown(p) ? DASH : p < 0.0001 ? "< 0.0001" : short(p, 2));

  // One choice of several, as radio buttons: arrow keys move it.
  let groups = 0;
  const choose = (word, options, chosen, then) => {
    const name = `choice-${groups++}`;
    const fields = make("fieldset", { class: "switch" }, make("legend", {}, word));
    for (const [value, text] of options) {
      const radio = make("input", { type: "radio", name, value });
      radio.checked = value === chosen;
      radio.addEventListener("change", () => then(value));
      fields.append(make("label", {}, radio, text));
    }
    return fields;
  };

  // Views of which one is shown.
  for (const root of page.querySelectorAll(".choice")) {
    const options = JSON.parse(root.dataset.choices);
    if (options.length < 2) continue;
    const own = (view) => view.closest(".choice") === root;
    const views = [...root.querySelectorAll("[data-view]")].filter(own);
    const tools = make("div", { class: "tools" });
    const show = (value) => {
      for (const view of views) view.hidden = view.dataset.view !== value;
      if (!root.classList.contains("models")) return;
      for (const link of page.querySelectorAll("nav [data-section]")) {
        const target = page.getElementById(`${value}-${link.dataset.section}`);
        if (target) link.setAttribute("href", `#${target.id}`);
      }
    };
    tools.append(choose(root.dataset.word || "Show", options, options[0][0], show));
    root.prepend(tools);
  }

  // Tables that are sorted, filtered, paged and saved.
  const FIRST = 50, MORE = 200;
  const mini = (value, low, high, [least, most]) => {
    const at = (x) => (3 + 78 * Math.min(Math.max((x - least) / (most - least), 0), 1)).toFixed(1);
    const out = draw("svg", { viewBox: "0 0 84 10", class: "mini", "aria-hidden": "true" });
    out.append(draw("line", { x1: 3, x2: 81, y1: 5, y2: 5, class: "scale" }));
    out.append(draw("line", { x1: at(low), x2: at(high), y1: 5, y2: 5, class: "whisker" }));
    out.append(draw("circle", { cx: at(value), cy: 5, r: 3.2 }));
    return out;
  };
  const cellOf = (column, value, first) => {
    if (column.kind === "text") {
      const cell = make(first ? "th" : "td", {}, make("bdi", {}, value ?? ""));
      if (first) cell.scope = "row";
      return cell;
    }
    const cell = make("td", { class: "n" });
    const [middle, low, high] = Array.isArray(value) ? value : [value];
    if (column.kind === "count") cell.append(count(middle));
    else if (column.kind === "p") cell.append(pValue(middle));
    else cell.append(number(middle, column.places));
    if (isKnown(low) && isKnown(high)) {
      const ends = `[${number(low, column.places)}, ${number(high, column.places)}]`;
      cell.append(" ", make("small", {}, ends));
      if (column.ends) cell.append(mini(middle, low, high, column.ends));
    }
    return cell;
  };
  const sortKey = (value) => (Array.isArray(value) ? value[0] : value);
  const words = new Intl.Collator("en", { numeric: true });

  // A text that a spreadsheet would take for a formula gets a ' in front.
  const SIGN = /^[\s\p{Z}\p{Cc}\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫−]/u;
  const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
  const csvCell = (value) => {
    if (!isKnown(value)) return "";
    if (typeof value === "number") return String(value);
    const safe = SIGN.test(value) && !NUMBER.test(value) ? `'${value}` : value;
    return `"${safe.replaceAll('"', '""')}"`;
  };
  const csvOf = (columns, rows) => {
    const heads = columns.flatMap(({ head, kind }) =>
      kind === "range" ? [head, `${head} low`, `${head} high`] : [head]);
    const lines = rows.map((row) => row.flatMap((value, at) => {
      if (columns[at].kind !== "range") return [value];
      return Array.isArray(value) ? value : [value, null, null];
    }));
    return [heads, ...lines].map((line) => line.map(csvCell).join(",")).join("\r\n") + "\r\n";
  };

  for (const root of page.querySelectorAll(".sortable")) {
    const { columns, rows } = dataOf(root);
    const table = root.querySelector("table"), body = table.tBodies[0], noun = root.dataset.noun;
    const texts = columns.flatMap((column, at) => (column.kind === "text" ? [at] : []));
    const size = columns.findIndex((column) => column.kind === "count");
    const said = make("span", { "aria-live": "polite", class: "note" });
    const more = make("button", { type: "button", class: "plain" });
    let order = rows.slice(), found = order, shown = FIRST, sorted = null, down = false;

    const render = () => {
      body.replaceChildren(...found.slice(0, shown).map((row) =>
        make("tr", {}, ...row.map((value, at) => cellOf(columns[at], value, at === 0)))));
      const there = Math.min(shown, found.length);
      const of = found.length === rows.length ? "" : ` (of ${count(rows.length)})`;
      said.textContent = `${count(there)} of ${count(found.length)} ${noun}${of}`;
      more.hidden = there === found.length;
      more.textContent = `Show ${count(Math.min(MORE, found.length - there))} more`;
    };
    const search = make("input", { type: "search", placeholder: "any part of a name" });
    const least = make("input", { type: "number", min: "0", placeholder: "0" });
    const filter = () => {
      const wanted = search.value.trim().toLowerCase(), rowsAtLeast = Number(least.value) || 0;
      found = order.filter((row) =>
        (!wanted || texts.some((at) => String(row[at] ?? "").toLowerCase().includes(wanted))) &&
        (size < 0 || row[size] >= rowsAtLeast));
      shown = FIRST;
      render();
    };
    const sortBy = (at) => {
      down = sorted === at ? !down : false;
      sorted = at;
      const side = down ? -1 : 1;
      order = rows.slice().sort((a, b) => {
        const x = sortKey(a[at]), y = sortKey(b[at]);
        if (!isKnown(x) || !isKnown(y)) return isKnown(y) - isKnown(x);
        return side * (typeof x === "string" ? words.compare(x, y) : x - y);
      });
      [...table.tHead.rows[0].cells].forEach((head, i) => {
        if (i === at) head.setAttribute("aria-sort", down ? "descending" : "ascending");
        else head.removeAttribute("aria-sort");
      });
      filter();
    };
    [...table.tHead.rows[0].cells].forEach((head, at) => {
      const button = make("button", { type: "button" }, ...head.childNodes);
      button.addEventListener("click", () => sortBy(at));
      head.append(button);
    });
    more.addEventListener("click", () => { shown += MORE; render(); });
    search.addEventListener("input", filter);
    least.addEventListener("input", filter);
    const save = make("button", { type: "button", class: "plain" }, "Save as CSV");
    save.addEventListener("click", () => {
      const url = URL.createObjectURL(new Blob([csvOf(columns, found)], { type: "text/csv" }));
      make("a", { href: url, download: `${root.id}.csv` }).click();
      setTimeout(() => URL.revokeObjectURL(url), 1000);
    });
    if (rows.length > 8) {
      toolsOf(root).append(make("label", {}, "Find", search));
      if (size >= 0) toolsOf(root).append(make("label", {}, "Rows at least", least));
    }
    root.append(make("p", { class: "foot" }, said, more, save));
    render();
  }

  // The confusion matrix: counts, or shares of rows or of columns.
  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
  const level = (share) => (share > 0 ? Math.max(1, Math.round(10 * Math.min(share, 1) ** 0.7)) : 0);
  const percent = (share) => {
    if (!isKnown(share)) return DASH;
    if (share === 0 || share === 1) return `${share * 100}\u00a0%`;
    return share < 0.001 ? "< 0.1\u00a0%" : share > 0.999 ? "> 99.9\u00a0%" : `${(share * 100).toFixed(1)}\u00a0%`;
  };
  const KINDS = [["count", "Rows"], ["true", "% of true class"], ["pred", "% of predicted class"]];
  for (const root of page.querySelectorAll(".matrix")) {
    const { counts, names } = dataOf(root);
    const across = counts.map(sum), down = counts.map((_, j) => sum(counts.map((row) => row[j])));
    const ratio = (part, whole) => (whole ? part / whole : null);
    const share = (kind, i, j) => ratio(counts[i][j], kind === "pred" ? down[j] : across[i]);
    const svg = root.querySelector(".cells");
    if (svg) {
      const said = root.querySelector(".readout");
      toolsOf(root).append(choose("Shade by", KINDS, "true", (kind) => { svg.dataset.view = kind; }));
      svg.addEventListener("pointermove", (event) => {
        const box = svg.getBoundingClientRect(), k = counts.length;
        const j = Math.min(k - 1, Math.max(0, Math.floor((event.clientX - box.left) / box.width * k)));
        const i = Math.min(k - 1, Math.max(0, Math.floor((event.clientY - box.top) / box.height * k)));
        said.textContent = `true ${names[i]}, predicted ${names[j]}: ${count(counts[i][j])} rows, ` +
          `${percent(share("true", i, j))} of the true class, ` +
          `${percent(share("pred", i, j))} of the predicted one`;
      });
      continue;
    }
    const rows = [...root.querySelectorAll("tbody tr")];
    toolsOf(root).append(choose("Show", KINDS, "count", (kind) => {
      counts.forEach((row, i) => row.forEach((n, j) => {
        const cell = rows[i].cells[j + 1], part = share(kind, i, j);
        cell.textContent = kind === "count" ? count(n) : percent(part);
        cell.className = `${i === j ? "r" : "w"}${level(part)}`;
      }));
    }));
  }

  // The threshold explorer.
  const along = (svg) => {
    const [x0, x1, y0, y1] = svg.dataset.plot.split(",").map(Number);
    const [a0, a1, b0, b1] = svg.dataset.domain.split(",").map(Number);
    return {
      x: (x) => x0 + (x - a0) / (a1 - a0) * (x1 - x0),
      y: (y) => y0 + (y - b0) / (b1 - b0) * (y1 - y0),
    };
  };
  for (const root of page.querySelectorAll(".explorer")) {
    const data = dataOf(root), last = data.t.length - 1;
    const ratio = (part, whole) => (whole ? part / whole : null);
    const at = (i) => {
      const tp = data.tp[i], fp = data.fp[i], fn = data.p - tp, tn = data.n - fp;
      const under = Math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn));
      return {
        t: data.t[i], tp, fp, fn, tn, tpr: ratio(tp, data.p), fpr: ratio(fp, data.n),
        ppv: ratio(tp, tp + fp), tnr: ratio(tn, data.n), f1: ratio(2 * tp, 2 * tp + fp + fn),
        mcc: ratio(tp * tn - fp * fn, under), accuracy: ratio(tp + tn, data.p + data.n),
        share: ratio(tp + fp, data.p + data.n),
      };
    };
    const word = (t) => (isKnown(t) ? `at least ${short(t, 4)}` : "above all scores");
    const slider = make("input", { type: "range", min: "0", max: String(last), step: "1" });
    const told = make("output", {});
    const price = (label, start) => {
      const input = make("input", { type: "number", min: "0", step: "any", value: start });
      input.addEventListener("input", () => { drawCost(); show(); });
      return [input, make("label", {}, label, input)];
    };
    const [ofFp, fpLabel] = price("Cost of a false positive", "1");
    const [ofFn, fnLabel] = price("of a false negative", "1");
    const cost = make("p", { class: "cost", "aria-live": "polite" });
    const cells = [...root.querySelectorAll("[data-cell]")];
    const bars = [...root.querySelectorAll("[data-bar]")];
    const markers = ["roc", "pr"].map((end) => page.getElementById(`${data.pictures}-${end}`))
      .filter(Boolean).map((svg) => [svg.querySelector(".marker"), along(svg)]);
    const lines = page.getElementById(`${root.id}-lines`);
    const here = lines.querySelector(".here"), scale = along(lines);
    const money = page.getElementById(`${root.id}-cost`), ofMoney = along(money);
    const RATES = new Set(["tpr", "ppv", "tnr", "f1", "mcc", "accuracy", "share"]);
    const priceOf = (i) => data.fp[i] * (Number(ofFp.value) || 0) +
      (data.p - data.tp[i]) * (Number(ofFn.value) || 0);
    const cheapest = () => {
      let best = 0;
      for (let i = 1; i <= last; i++) if (priceOf(i) < priceOf(best)) best = i;
      return best;
    };

    const drawCost = () => {
      const all = data.t.map((_, i) => priceOf(i)), most = Math.max(...all) || 1;
      const points = data.t.flatMap((t, i) =>
        (isKnown(t) ? [`${ofMoney.x(t).toFixed(1)} ${ofMoney.y(all[i] / most).toFixed(1)}`] : []));
      money.querySelector(".price").setAttribute("d", `M${points.join("L")}`);
    };

    const show = () => {
      const i = last - Number(slider.value), row = at(i), n = data.p + data.n;
      told.textContent = word(row.t);
      slider.setAttribute("aria-valuetext", `score ${word(row.t)}`);
      for (const cell of cells) {
        const key = cell.dataset.cell;
        cell.textContent = key === "t" ? word(row.t) : RATES.has(key) ? number(row[key]) : count(row[key]);
      }
      for (const bar of bars) bar.value = Math.max(row[bar.dataset.bar] ?? 0, 0);
      for (const [marker, to] of markers) {
        const x = row[marker.dataset.x], y = row[marker.dataset.y];
        marker.toggleAttribute("hidden", !isKnown(x) || !isKnown(y));
        if (isKnown(x) && isKnown(y)) {
          marker.setAttribute("cx", to.x(x).toFixed(1));
          marker.setAttribute("cy", to.y(y).toFixed(1));
        }
      }
      for (const one of [here, money.querySelector(".here")]) {
        one.toggleAttribute("hidden", !isKnown(row.t));
        if (isKnown(row.t)) for (const end of ["x1", "x2"]) one.setAttribute(end, scale.x(row.t).toFixed(1));
      }
      const best = cheapest();
      cost.textContent = `Cost here: ${count(priceOf(i))}, ${number(ratio(priceOf(i), n))} a row. ` +
        `Lowest: ${count(priceOf(best))}, where the score is ${word(data.t[best])}.`;
    };
    const go = (i) => { slider.value = String(last - i); show(); };
    const button = (text, then) => {
      const out = make("button", { type: "button", class: "plain" }, text);
      out.addEventListener("click", () => go(then()));
      return out;
    };
    slider.addEventListener("input", show);
    const label = make("label", {}, "Predicted positive where the score is ", told, slider);
    const jumps = make("div", { class: "tools" }, button("Best F1", () => data.best.f1),
      button("Best MCC", () => data.best.mcc), button("Lowest cost", cheapest));
    toolsOf(root).append(make("div", { class: "slide" }, label, jumps), make("div", {},
      make("div", { class: "tools" }, fpLabel, fnLabel), cost));
    money.closest("figure").hidden = false;
    drawCost();
    go(data.at);
  }

  // Where one is on the page.
  const links = [...page.querySelectorAll("nav a")];
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      for (const link of links) {
        const isHere = link.getAttribute("href") === `#${entry.target.getAttribute("aria-labelledby")}`;
        if (isHere) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    }
  }, { rootMargin: "-20% 0px -70% 0px" });
  for (const part of page.querySelectorAll("section")) seen.observe(part);
})();

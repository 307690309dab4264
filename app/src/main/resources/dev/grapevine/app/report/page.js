"use strict";
// One page for both: a report of runs that are over, and a live view of one that goes.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const page = document.getElementById("page");
  const COLORS = ["#2f6fb0", "#d9822b", "#2b9a66", "#b8405e", "#7a5cc0", "#8a6d3b", "#1c9cab", "#737b84", "#a0356f", "#5b8c2a"];
  // The colours come again with other dashes, so that many curves stay apart.
  const DASHES = [[], [8, 4], [2, 3], [8, 3, 2, 3]];
  function dash(group) { return DASHES[Math.floor(group / COLORS.length) % DASHES.length]; }
  const DARK = matchMedia("(prefers-color-scheme: dark)").matches;
  const METRICS = {
    test_accuracy: ["Test accuracy", percent],
    validation_accuracy: ["Validation accuracy", percent],
    average_accuracy: ["Accuracy of the average model", percent],
    test_loss: ["Test loss", number],
    validation_loss: ["Validation loss", number],
    average_loss: ["Loss of the average model", number],
    train_loss: ["Training loss", number],
    consensus_distance: ["Distance from the average model", number],
    bytes_sent: ["Sent per node", bytes],
    pace_wait: ["Wait for others, in seconds", number],
  };
  const HIDDEN = /^(seconds_|confusion_|bytes_received$|bytes_metadata$)/;
  const AXES = { round: ["round", number], time: [data.virtual ? "virtual seconds" : "seconds", number], bytes: ["sent per node", bytes] };
  let axis = "round";

  // ---- Small things -------------------------------------------------------------------------
  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else element.setAttribute(key, value);
    }
    element.append(...children);
    return element;
  }
  function number(v) {
    if (v == null || Number.isNaN(v)) return "–";
    const size = Math.abs(v);
    if (v === Math.round(v) && size < 1e6) return String(v);
    return size !== 0 && (size >= 1e6 || size < 1e-3) ? v.toExponential(2) : String(+v.toPrecision(4));
  }
  function percent(v) { return v == null ? "–" : +(100 * v).toFixed(2) + " %"; }
  function bytes(v) {
    if (v == null) return "–";
    const units = ["B", "kB", "MB", "GB", "TB"];
    let unit = 0;
    while (v >= 1000 && unit < 4) { v /= 1000; unit++; }
    return (unit === 0 ? Math.round(v) : +v.toPrecision(4)) + " " + units[unit];
  }
  function style(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }
  // Dark violet to yellow, evenly rising in lightness, so that it reads without colour as well.
  const RAMP = [[68, 1, 84], [65, 68, 135], [42, 120, 142], [34, 168, 132], [122, 209, 81], [253, 231, 37]];
  function ramp(share) {
    const at = Math.min(Math.max(share, 0), 1) * (RAMP.length - 1);
    const i = Math.min(Math.floor(at), RAMP.length - 2);
    const mix = RAMP[i].map((c, k) => Math.round(c + (RAMP[i + 1][k] - c) * (at - i)));
    return `rgb(${mix})`;
  }
  const tip = make("div", { id: "tip" });
  document.body.append(tip);
  function showTip(event, text) {
    tip.style.display = text ? "block" : "none";
    tip.textContent = text || "";
    tip.style.left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8) + "px";
    tip.style.top = event.clientY + 14 + "px";
  }
  function sharp(canvas, width, height) {
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.height = height + "px";
    const g = canvas.getContext("2d");
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    return g;
  }
  const redraws = [];
  function redrawAll() { redraws.forEach((redraw) => redraw()); }
  function whenResized(element, redraw) {
    redraws.push(redraw);
    let width = 0;
    new ResizeObserver(() => {
      if (element.clientWidth !== width) {
        width = element.clientWidth;
        redraw();
      }
    }).observe(element);
  }

  // ---- Head ---------------------------------------------------------------------------------
  function tile(figure, what, kind) {
    return make("div", { class: "tile" }, make("div", { class: "figure " + (kind || "") }, figure), make("div", { class: "what" }, what));
  }
  function outcomeKind(outcome) { return outcome === "done" ? "done" : outcome === "running" ? "" : "bad"; }
  const tiles = make("div", { class: "tiles" });
  function drawTiles(list) { tiles.replaceChildren(...list.map(([figure, what, kind]) => tile(figure, what, kind))); }
  page.append(make("h1", {}, data.title), make("p", { class: "lead" }, data.subtitle), tiles);
  drawTiles(data.tiles.map(([figure, what]) => [figure, what, what === "outcome" ? outcomeKind(figure) : ""]));
  const bar = make("div", {});
  if (data.live) page.append(make("div", { class: "bar" }, bar));

  if (data.settings && data.settings.length > 1) {
    const head = ["setting", "seeds", `final ${data.measure} %`, "best %", "sent per node", "against the first", data.settings.length > 2 ? "at 5 % (Holm)" : "at 5 %"];
    const rows = data.settings.map((cells, group) => make("tr", {}, ...cells.map((cell, i) =>
      i === 0 ? make("td", {}, make("span", { class: "swatch", style: `background:${COLORS[group % COLORS.length]}` }), cell) : make("td", {}, cell))));
    page.append(make("h2", {}, "Settings"), make("p", { class: "note" }, "Mean over nodes, then seeds, ± half the 95 % confidence interval over seeds; differences are tested pairwise over common seeds."),
      make("div", { class: "card scroll" }, make("table", { id: "settings" }, make("thead", {}, make("tr", {}, ...head.map((h) => make("th", {}, h)))), make("tbody", {}, ...rows))));
  }
  if (data.runs.length > 1) {
    const body = make("tbody");
    for (const run of data.runs) {
      body.append(make("tr", {},
        make("td", {}, make("span", { class: "swatch", style: `background:${COLORS[run.group % COLORS.length]}` }), data.groups[run.group].label),
        make("td", {}, String(run.seed ?? "–")), make("td", {}, run.outcome), make("td", {}, percent(run.accuracy)),
        make("td", {}, bytes(run.sent)), make("td", {}, run.duration), make("td", { class: "mono" }, run.path)));
    }
    const head = ["run", "seed", "outcome", "final accuracy", "sent per node", "duration", "directory"];
    page.append(make("h2", {}, "Runs"), make("div", { class: "card scroll" }, make("table", { id: "runs" },
      make("thead", {}, make("tr", {}, ...head.map((h) => make("th", {}, h)))), body)));
    if (data.differences.length) {
      page.append(make("h2", {}, "What differs"), words(data.differences, ["setting", ...data.groups.map((g) => g.label)]));
    }
  }
  function words(rows, head) {
    const table = make("table", { class: "words" });
    if (head) table.append(make("thead", {}, make("tr", {}, ...head.map((h) => make("th", {}, h)))));
    table.append(make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((cell) => make("td", {}, cell))))));
    return make("div", { class: "card", style: "padding:4px 6px;overflow:auto" }, table);
  }

  // ---- Curves -------------------------------------------------------------------------------
  const charts = new Map();
  const grid = make("div", { class: "charts" });
  const empty = make("p", { class: "note" }, data.live ? "Nothing has been evaluated yet." : "Nothing was evaluated.");
  const axisButtons = make("div", { class: "buttons" }, ...Object.keys(AXES).map((key) =>
    make("button", { type: "button", "data-axis": key, "aria-pressed": String(key === axis), onclick: () => {
      axis = key;
      axisButtons.querySelectorAll("button").forEach((b) => b.setAttribute("aria-pressed", String(b.dataset.axis === key)));
      drawCharts(true);
    } }, { round: "rounds", time: "time", bytes: "bytes" }[key])));
  page.append(make("div", { class: "row", style: "margin-top:44px" }, make("h2", { style: "margin:0" }, "Curves"), axisButtons),
    make("p", { class: "note" }, data.bands + " Drag to zoom, double-click to go back."), empty, grid);

  function metricsPresent() {
    const present = new Set(data.groups.flatMap((group) => Object.keys(group.curves)));
    const known = Object.keys(METRICS).filter((metric) => present.has(metric));
    const others = [...present].filter((metric) => !METRICS[metric] && !HIDDEN.test(metric)).sort();
    return [...known, ...others];
  }
  function title(metric) { return METRICS[metric] ? METRICS[metric][0] : sentence(metric.replaceAll("_", " ")); }
  function sentence(words) { return words.charAt(0).toUpperCase() + words.slice(1); }
  function format(metric) { return METRICS[metric] ? METRICS[metric][1] : number; }

  function aligned(metric) {
    const tables = [];
    const groups = [];
    data.groups.forEach((group, index) => {
      const curve = group.curves[metric];
      if (!curve) return;
      const rows = curve.round.map((_, i) => i).filter((i) => curve[axis][i] != null);
      const x = rows.map((i) => curve[axis][i]);
      // x must rise strictly; a protocol that stands still in bytes keeps its last value.
      const keep = rows.filter((_, k) => k === rows.length - 1 || x[k] < x[k + 1]);
      if (!keep.length) return;
      const column = (values) => keep.map((i) => values[i]);
      tables.push([column(curve[axis]), column(curve.mean), column(curve.high), column(curve.low)]);
      groups.push(index);
    });
    if (!tables.length) return null;
    return { values: tables.length === 1 ? tables[0] : uPlot.join(tables), groups };
  }

  function options(metric, groups, width, height) {
    const show = format(metric);
    const axisStyle = { stroke: style("--soft"), grid: { stroke: style("--grid"), width: 1 }, ticks: { stroke: style("--grid"), width: 1 }, font: "12px system-ui, sans-serif" };
    const series = [{ label: AXES[axis][0], value: (_, v) => AXES[axis][1](v) }];
    const bands = [];
    groups.forEach((group) => {
      const color = COLORS[group % COLORS.length];
      const at = series.length;
      series.push({ label: data.groups[group].label, stroke: color, width: 2, dash: dash(group), spanGaps: true, value: (_, v) => show(v), points: { size: 5 } });
      series.push({ label: "high", class: "band", stroke: "transparent", width: 0, spanGaps: true, points: { show: false } });
      series.push({ label: "low", class: "band", stroke: "transparent", width: 0, spanGaps: true, points: { show: false } });
      // More over each other cannot be told apart.
      if (groups.length <= 8) bands.push({ series: [at + 1, at + 2], fill: color + (DARK ? "52" : "2b") });
    });
    return {
      width, height, series, bands,
      scales: { x: { time: false } },
      axes: [
        { ...axisStyle, values: (_, ticks) => ticks.map(AXES[axis][1]) },
        { ...axisStyle, size: 66, values: (_, ticks) => ticks.map(show) },
      ],
      cursor: { sync: { key: "curves" }, points: { size: 7 }, drag: { x: true, y: false } },
    };
  }

  function drawCharts(anew) {
    const metrics = metricsPresent();
    empty.style.display = metrics.length ? "none" : "";
    if (anew || metrics.join() !== [...charts.keys()].join()) {
      charts.forEach((chart) => chart.plot && chart.plot.destroy());
      charts.clear();
      grid.replaceChildren();
      metrics.forEach((metric, i) => {
        const box = make("div", {});
        grid.append(make("div", { class: "card" + (i === 0 ? " wide" : ""), "data-metric": metric }, make("h3", {}, title(metric)), box));
        charts.set(metric, { box, height: i === 0 ? 320 : 220, plot: null, groups: "" });
      });
    }
    charts.forEach((chart, metric) => {
      const now = aligned(metric);
      if (!now) return;
      if (chart.plot && chart.groups === now.groups.join()) {
        chart.plot.setData(now.values);
      } else {
        chart.plot && chart.plot.destroy();
        chart.plot = new uPlot(options(metric, now.groups, chart.box.clientWidth || 500, chart.height), now.values, chart.box);
        chart.groups = now.groups.join();
      }
    });
  }
  drawCharts(true);
  let gridWidth = grid.clientWidth;
  new ResizeObserver(() => {
    if (grid.clientWidth !== gridWidth) {
      gridWidth = grid.clientWidth;
      charts.forEach((chart) => chart.plot && chart.plot.setSize({ width: chart.box.clientWidth, height: chart.height }));
    }
  }).observe(grid);

  // ---- One run in detail --------------------------------------------------------------------
  const detail = make("div", { id: "detail" });
  if (data.details.length > 1) {
    const choice = make("select", { "aria-label": "run", onchange: (e) => drawDetail(data.details[+e.target.value]) },
      ...data.details.map((d, i) => make("option", { value: String(i) }, d.label)));
    page.append(make("div", { class: "row", style: "margin-top:44px" }, make("h2", { style: "margin:0" }, "One run in detail"), choice));
  }
  page.append(detail);
  let current = null;
  function drawDetail(run) {
    redraws.length = 0;
    current = run;
    detail.replaceChildren();
    if (run.graph) drawTopology(run);
    if (run.spread) drawSpread(run);
    if (run.nodes) drawNodes(run);
    detail.append(make("h2", {}, "Provenance"), words(run.provenance), make("p", { class: "note", style: "margin-top:14px" }, "To run it again and compare:"),
      make("pre", {}, run.replay), make("details", {}, make("summary", {}, "The whole experiment, with all defaults"), make("pre", {}, run.experiment)));
  }

  // ---- Topology -----------------------------------------------------------------------------
  function drawTopology(run) {
    const graph = run.graph;
    const canvas = make("canvas", { class: "picture", id: "topology" });
    const low = make("span"), high = make("span");
    const scale = make("div", { class: "scale" }, make("span", {}, "accuracy"), low, make("div", { class: "ramp", style: `background:linear-gradient(90deg,${RAMP.map((c) => `rgb(${c})`)})` }), high);
    detail.append(make("h2", {}, "Topology"), make("div", { class: "two" },
      make("div", { class: "card" }, canvas, scale), words(graph.facts)));
    const neighbours = Array.from({ length: graph.nodes }, () => []);
    for (let e = 0; e < graph.edges.length; e += 2) {
      neighbours[graph.edges[e]].push(graph.edges[e + 1]);
      neighbours[graph.edges[e + 1]].push(graph.edges[e]);
    }
    let chosen = -1, size = 0, radius = 0;
    const place = (v) => radius + 6 + v * (size - 2 * radius - 12);
    function redraw() {
      size = Math.min(canvas.parentElement.clientWidth - 32, 640);
      if (size <= 0) return;
      canvas.style.width = size + "px";
      radius = Math.min(12, Math.max(0.7, (size * 0.3) / Math.sqrt(graph.nodes)));
      const g = sharp(canvas, size, size);
      g.clearRect(0, 0, size, size);
      drawEdges(g);
      drawNodesOn(g);
    }
    function drawEdges(g) {
      const count = graph.edges.length / 2;
      // What was counted on each edge; while a run goes, what its ends have sent lately.
      const counted = run.links || graph.traffic || null;
      const traffic = counted ? null : run.traffic || null;
      const most = (counted || traffic || []).reduce((a, b) => Math.max(a, b), 1e-9);
      const faint = Math.min(0.75, Math.max(0.07, Math.pow(60 / Math.max(1, count), 0.5)));
      const rgb = style("--edge");
      for (let e = 0; e < count; e++) {
        const a = graph.edges[2 * e], b = graph.edges[2 * e + 1];
        const near = chosen >= 0 && (a === chosen || b === chosen);
        const share = counted ? counted[e] / most : traffic ? ((traffic[a] || 0) + (traffic[b] || 0)) / 2 / most : 0.6;
        g.strokeStyle = near ? style("--accent") : `rgba(${rgb}, ${faint * (0.25 + 0.75 * share) * (chosen >= 0 ? 0.4 : 1)})`;
        g.lineWidth = near ? 1.6 : 0.5 + share * Math.min(1.5, radius / 4);
        g.beginPath();
        g.moveTo(place(graph.x[a]), place(graph.y[a]));
        g.lineTo(place(graph.x[b]), place(graph.y[b]));
        g.stroke();
      }
    }
    function drawNodesOn(g) {
      const accuracy = run.nodes ? run.nodes.accuracy : [];
      const known = accuracy.filter((v) => v != null);
      const least = known.reduce((a, b) => Math.min(a, b), known.length ? Infinity : 0), best = known.reduce((a, b) => Math.max(a, b), known.length ? -Infinity : 1);
      scale.style.visibility = known.length ? "visible" : "hidden";
      low.textContent = percent(least);
      high.textContent = percent(best);
      g.font = `${radius}px system-ui, sans-serif`;
      g.textAlign = "center";
      g.textBaseline = "middle";
      for (let n = 0; n < graph.nodes; n++) {
        const x = place(graph.x[n]), y = place(graph.y[n]);
        const share = best > least ? (accuracy[n] - least) / (best - least) : 0.5;
        g.globalAlpha = chosen >= 0 && n !== chosen && !neighbours[chosen].includes(n) ? 0.3 : 1;
        g.fillStyle = accuracy[n] == null ? style("--soft") : ramp(share);
        g.beginPath();
        g.arc(x, y, radius, 0, 7);
        g.fill();
        if (radius > 8) {
          g.fillStyle = accuracy[n] != null && share > 0.6 ? "#111" : "#fff";
          g.fillText(String(n), x, y + 0.5);
        }
      }
      g.globalAlpha = 1;
    }
    canvas.addEventListener("mousemove", (event) => {
      const box = canvas.getBoundingClientRect();
      let best = -1, nearest = Math.max(100, radius * radius * 2);
      for (let n = 0; n < graph.nodes; n++) {
        const dx = place(graph.x[n]) - (event.clientX - box.left), dy = place(graph.y[n]) - (event.clientY - box.top);
        if (dx * dx + dy * dy < nearest) { nearest = dx * dx + dy * dy; best = n; }
      }
      showTip(event, best < 0 ? "" : `node ${best}\naccuracy ${percent(run.nodes ? run.nodes.accuracy[best] : null)}\n${neighbours[best].length} neighbours` + (run.nodes && run.nodes.sent[best] != null ? `\nsent ${bytes(run.nodes.sent[best])}` : ""));
      if (best !== chosen) { chosen = best; redraw(); }
    });
    canvas.addEventListener("mouseleave", (event) => { showTip(event, ""); chosen = -1; redraw(); });
    whenResized(canvas.parentElement, redraw);
    redraw();
  }

  // ---- How data is spread -------------------------------------------------------------------
  function drawSpread(run) {
    const { classes, counts } = run.spread;
    const canvas = make("canvas", { class: "picture", id: "spread" });
    const most = counts.reduce((a, c) => Math.max(a, ...c), 1);
    detail.append(make("h2", {}, "How the data is spread"), make("p", { class: "note" }, run.spread.text),
      make("div", { class: "card" }, canvas, make("div", { class: "scale" }, make("span", {}, "samples"), make("span", {}, "0"),
        make("div", { class: "ramp", id: "cells" }), make("span", {}, String(most)))));
    const left = 44, bottom = 34;
    const rowHeight = Math.max(3, Math.min(22, 360 / classes));
    let width = 0;
    function redraw() {
      width = canvas.parentElement.clientWidth - 32;
      if (width <= 0) return;
      const height = classes * rowHeight + bottom;
      const g = sharp(canvas, width, height);
      const cell = (width - left) / counts.length;
      const rgb = style("--cell");
      document.getElementById("cells").style.background = `linear-gradient(90deg, rgba(${rgb}, 0.06), rgb(${rgb}))`;
      g.clearRect(0, 0, width, height);
      const gap = cell > 6 ? 1 : 0;
      // Of many nodes, as many as there are pixels.
      const step = Math.max(1, Math.floor(counts.length / (2 * width)));
      for (let n = 0; n < counts.length; n += step) {
        for (let c = 0; c < classes; c++) {
          const share = (counts[n][c] || 0) / most;
          g.fillStyle = share > 0 ? `rgba(${rgb}, ${0.06 + 0.94 * share})` : style("--empty");
          g.fillRect(left + n * cell, c * rowHeight, Math.max(cell - gap, 0.8), rowHeight - (rowHeight > 6 ? 1 : 0));
        }
      }
      g.fillStyle = style("--soft");
      g.font = "12px system-ui, sans-serif";
      g.textBaseline = "middle";
      g.textAlign = "right";
      const everyClass = Math.ceil(14 / rowHeight);
      for (let c = 0; c < classes; c += everyClass) g.fillText(String(c), left - 8, (c + 0.5) * rowHeight);
      g.textAlign = "center";
      const everyNode = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((s) => s * cell >= 28) || 5000;
      for (let n = 0; n < counts.length; n += everyNode) g.fillText(String(n), left + (n + 0.5) * cell, classes * rowHeight + 10);
      g.fillText("node", left + (width - left) / 2, height - 7);
      g.save();
      g.translate(8, (classes * rowHeight) / 2);
      g.rotate(-Math.PI / 2);
      g.fillText("class", 0, 0);
      g.restore();
    }
    canvas.addEventListener("mousemove", (event) => {
      const box = canvas.getBoundingClientRect();
      const n = Math.floor(((event.clientX - box.left - left) / (width - left)) * counts.length);
      const c = Math.floor((event.clientY - box.top) / rowHeight);
      showTip(event, counts[n] && c >= 0 && c < classes ? `node ${n}, class ${c}\n${counts[n][c] || 0} samples` : "");
    });
    canvas.addEventListener("mouseleave", (event) => showTip(event, ""));
    whenResized(canvas.parentElement, redraw);
    redraw();
  }

  // ---- Table of the nodes -------------------------------------------------------------------
  let fillNodes = () => {};
  function drawNodes(run) {
    const columns = [["node", number], ["degree", number], ["samples", number], ["classes", number], ["accuracy", percent], ["loss", number], ["sent", bytes], ["received", bytes], ["train", seconds], ["share", seconds], ["wait", seconds], ["evaluate", seconds]]
      .filter(([key]) => key === "node" || (run.nodes[key] && (data.live || run.nodes[key].some((v) => v != null))));
    const count = run.nodes.accuracy.length;
    // More rows than this only slow the page; sorting brings any node to the top.
    const most = 2000;
    let key = "node", sign = 1;
    const value = (n, k) => (k === "node" ? n : run.nodes[k][n]);
    const body = make("tbody");
    const head = make("tr", {}, ...columns.map(([name]) => make("th", { "data-key": name, onclick: () => {
      sign = name === key ? -sign : name === "node" ? 1 : -1;
      key = name;
      fillNodes();
    } }, name)));
    detail.append(make("h2", {}, "Nodes"));
    if (count > most) detail.append(make("p", { class: "note" }, `The first ${most} of ${count} nodes in the order of the column that you click.`));
    detail.append(make("div", { class: "card scroll" }, make("table", { id: "nodes" }, make("thead", {}, head), body)));
    // A table of a thousand nodes is filled twice a second: only what has changed is touched.
    const rows = Array.from({ length: Math.min(count, most) }, () => {
      const cells = columns.map(() => make("td"));
      return { row: make("tr", {}, ...cells), cells, shown: [] };
    });
    let shownOrder = [];
    function fillRow(row, n) {
      const { cells, shown } = rows[row];
      columns.forEach(([name, show], c) => {
        const text = show(value(n, name));
        if (text !== shown[c]) cells[c].textContent = shown[c] = text;
      });
    }
    fillNodes = () => {
      const order = Array.from({ length: count }, (_, n) => n);
      order.sort((a, b) => {
        const x = value(a, key), y = value(b, key);
        return x == null ? (y == null ? a - b : 1) : y == null ? -1 : sign * (x - y) || a - b;
      });
      if (count > most) {
        rows.forEach((_, i) => fillRow(i, order[i]));
        if (!shownOrder.length) rows.forEach(({ row }) => body.append(row));
        shownOrder = order;
      } else {
        for (let n = 0; n < count; n++) fillRow(n, n);
        if (order.some((n, i) => n !== shownOrder[i])) {
          body.replaceChildren(...order.map((n) => rows[n].row));
          shownOrder = order;
        }
      }
      head.querySelectorAll("th").forEach((th) => {
        if (th.dataset.key === key) th.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
        else th.removeAttribute("aria-sort");
      });
    };
    fillNodes();
  }
  function seconds(v) { return v == null ? "–" : (v < 100 ? v.toFixed(2) : v.toFixed(0)) + " s"; }

  if (data.details.length) drawDetail(data.details[0]);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { drawCharts(true); redrawAll(); });

  // ---- Live ---------------------------------------------------------------------------------
  if (!data.live) return;
  const COLUMNS = { test_accuracy: "accuracy", test_loss: "loss", bytes_sent: "sent", bytes_received: "received", seconds_train: "train", seconds_share: "share", seconds_wait: "wait", seconds_evaluate: "evaluate" };
  const seen = new Map();
  // Everything recorded so far comes with the first event.
  Object.values(COLUMNS).forEach((column) => current && current.nodes[column].fill(null));
  let drawing = false;
  function applyNode(column, node, value) {
    if (node < 0 || node >= current.nodes.accuracy.length) return;
    if (column === "sent") {
      current.traffic ||= new Array(current.nodes.accuracy.length).fill(0);
      current.traffic[node] = value - (current.nodes.sent[node] || 0);
    }
    current.nodes[column][node] = value;
  }
  function apply(update) {
    if (update.anew) { seen.clear(); }
    for (const [metric, round, mean, low, high, time] of update.points) {
      if (!seen.has(metric)) seen.set(metric, new Map());
      seen.get(metric).set(round, [mean, low, high, time]);
    }
    for (const [metric, { nodes, values }] of Object.entries(update.nodes)) {
      if (current && COLUMNS[metric]) nodes.forEach((node, i) => applyNode(COLUMNS[metric], node, values[i]));
    }
    if (update.links && current) current.links = update.links;
    drawTiles(update.tiles.map(([figure, what]) => [figure, what, what === "outcome" ? outcomeKind(figure) : ""]));
    bar.style.width = 100 * update.done + "%";
    document.body.dataset.outcome = update.outcome;
    if (!drawing) { drawing = true; requestAnimationFrame(redrawLive); }
  }
  function redrawLive() {
    drawing = false;
    const start = performance.now();
    const sent = seen.get("bytes_sent");
    const curves = {};
    for (const [metric, rounds] of seen) {
      const curve = { round: [], time: [], bytes: [], mean: [], low: [], high: [] };
      for (const round of [...rounds.keys()].sort((a, b) => a - b)) {
        const [mean, low, high, time] = rounds.get(round);
        curve.round.push(round + 1);
        curve.time.push(time);
        curve.bytes.push(sent && sent.has(round) ? sent.get(round)[0] : null);
        curve.mean.push(mean);
        curve.low.push(low);
        curve.high.push(high);
      }
      curves[metric] = curve;
    }
    data.groups[0].curves = curves;
    drawCharts(false);
    redrawAll();
    fillNodes();
    document.body.dataset.milliseconds = Math.round(performance.now() - start);
  }
  // Laying out a large graph takes a while; all else is there at once.
  fetch("graph").then((answer) => answer.json()).then((graph) => {
    current.graph = graph;
    drawDetail(current);
  }).catch(() => {});
  const events = new EventSource("events");
  events.onmessage = (event) => {
    const update = JSON.parse(event.data);
    apply(update);
    if (update.over) events.close();
  };
  // A server that is gone for good is not asked for ever.
  events.onerror = () => { if (document.body.dataset.outcome && document.body.dataset.outcome !== "running") events.close(); };
})();

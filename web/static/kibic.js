// Small conveniences on top of pages that work without them: live totals, shrinking photos, the tile picker.
"use strict";
document.documentElement.classList.add("js");
const by = (id) => document.getElementById(id);
const words = document.body.dataset;
const SHRINK_TO = 2400;
const POLL_MS = 2000;

function notice(text) {
  by("notice").textContent = text;
  clearTimeout(notice.timer);
  notice.timer = setTimeout(() => { by("notice").textContent = ""; }, 6000);
}

// --- live: ask "anything newer?" every two seconds; the answer is usually an empty 304 ---
const live = document.querySelector("[data-live]");
let tag = live ? `"${live.dataset.tag}"` : "";
async function poll() {
  if (!document.hidden && !by("picker").open && !by("sending").open && !live.querySelector(".htmx-request")) {
    try {
      const answer = await fetch(live.dataset.live, { headers: tag ? { "If-None-Match": tag } : {}, cache: "no-store" });
      if (answer.status === 200) {
        const text = await answer.text();
        if (!by("picker").open) { tag = answer.headers.get("ETag") || ""; show(text); }
      }
    } catch (error) { /* the network is away for a moment; the next poll will tell */ }
  }
  setTimeout(poll, live.querySelector(".busy") ? POLL_MS / 2 : POLL_MS);
}
function show(html) {
  const here = document.activeElement;
  const place = live.contains(here) && [here.getAttribute("href") || here.dataset.cells || here.textContent.trim(), here.tagName];
  const open = [...live.querySelectorAll("details[open] > summary")].map((one) => one.textContent);
  live.innerHTML = html;
  htmx.process(live);
  for (const one of live.querySelectorAll("details > summary")) if (open.includes(one.textContent)) one.parentElement.open = true;
  restore();
  // Whoever works with the keyboard stays where they were.
  if (place) [...live.querySelectorAll(place[1])].find((one) => [one.getAttribute("href"), one.dataset.cells, one.textContent.trim()].includes(place[0]))?.focus({ preventScroll: true });
}
if (live) poll();

// --- the picker ---
let picked = "";
// Whoever closes the picker is back at the cell it was about.
by("picker").addEventListener("close", () => {
  const cell = [...document.querySelectorAll(".cell[href]")].find((one) => one.getAttribute("href") === picked && one.getClientRects().length);
  cell?.focus({ preventScroll: true });
});
async function pick(address, onlyOn = false) {
  const answer = await fetch(address, { headers: { "HX-Request": "true" } });
  const text = await answer.text();
  if (onlyOn && !by("picker").open) return; // closed in the meantime: enough for now
  if (!answer.ok) { notice(words.unsaved); return; }
  by("picker-body").innerHTML = text;
  picked = address;
  htmx.process(by("picker-body"));
  if (!by("picker").open) by("picker").showModal();
  by("picker").scrollTop = 0;
}
document.addEventListener("click", (event) => {
  const cell = event.target.closest("[data-picker]");
  if (cell) { event.preventDefault(); pick(cell.getAttribute("href")); return; }
  if (event.target.closest("[data-close]") || event.target === by("picker")) by("picker").close();
  const item = event.target.closest("button.item");
  if (item) light(item);
  const view = event.target.closest("[data-show]");
  if (view) { chosenView = view.dataset.show; restore(); }
  if (event.target.closest("[data-print]")) window.print();
});
document.body.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id !== "board") return;
  tag = event.detail.xhr.getResponseHeader("ETag") || "";
  restore();
  const next = by("board").firstElementChild?.dataset.next;
  if (by("picker").open && next) pick(next, true); else by("picker").close();
});
document.body.addEventListener("htmx:responseError", (event) => {
  by("picker").close();
  notice(new DOMParser().parseFromString(event.detail.xhr.responseText, "text/html").querySelector(".said")?.textContent || words.unsaved);
});
document.body.addEventListener("htmx:sendError", () => { by("picker").close(); notice(words.unsaved); });

// --- breakdown items light up their cells ---
let lit = null;
function light(item) {
  const again = item.getAttribute("aria-pressed") === "true";
  for (const one of document.querySelectorAll("button.item[aria-pressed]")) one.removeAttribute("aria-pressed");
  if (!again) item.setAttribute("aria-pressed", "true");
  lit = again ? null : item.dataset.cells;
  const before = item.getBoundingClientRect().top;
  glow();
  // The picture stays in sight while rows are touched, and the list does not jump under the finger.
  window.scrollBy(0, item.getBoundingClientRect().top - before);
  const pinned = document.querySelector(".picture.pinned")?.getBoundingClientRect();
  if (pinned && pinned.bottom > item.getBoundingClientRect().top && innerWidth < 960) window.scrollBy(0, item.getBoundingClientRect().top - pinned.bottom - 8);
}
function glow() {
  const cells = new Set((lit || "").trim().split(" ").filter(Boolean));
  for (const one of document.querySelectorAll(".cell")) one.classList.toggle("lit", cells.has(one.dataset.at));
  for (const one of document.querySelectorAll(".board-svg")) one.classList.toggle("dimmed", cells.size > 0);
  document.querySelector(".picture")?.classList.toggle("pinned", cells.size > 0);
}

// --- photo or drawing ---
let chosenView = "photo";
function restore() {
  for (const figure of document.querySelectorAll("[data-views]")) {
    figure.querySelector(".view-photo").hidden = chosenView !== "photo";
    figure.querySelector(".view-plan").hidden = chosenView !== "plan";
    for (const one of figure.querySelectorAll("[data-show]")) one.setAttribute("aria-pressed", String(one.dataset.show === chosenView));
  }
  // A touched row stays lit when news arrives, unless a correction has changed it.
  const same = lit && [...document.querySelectorAll("button.item")].find((one) => one.dataset.cells === lit);
  if (same) same.setAttribute("aria-pressed", "true"); else lit = null;
  glow();
  localTimes();
}
function localTimes() {
  for (const one of document.querySelectorAll("time[datetime]")) one.textContent = new Date(one.dateTime).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}

// --- photographs: shrink on the phone where it can, then send with a progress bar ---
async function shrunk(file) {
  try {
    const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
    const scale = Math.min(1, SHRINK_TO / Math.max(picture.width, picture.height));
    if (scale === 1 && file.size < 3e6) return file;
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    const small = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.92));
    return small && small.size < file.size ? small : file;
  } catch (error) {
    return file; // a format only the server understands
  }
}
const PATIENCE = 8;
async function send(form, file) {
  by("sending-text").textContent = words.cleaning;
  by("sending-bar").value = 0;
  if (!by("sending").open) by("sending").showModal();
  const body = new FormData();
  body.append("csrf", words.csrf);
  body.append("photo", await shrunk(file), "photo.jpg");
  post(form.action, body, PATIENCE);
}
function post(action, body, tries) {
  const request = new XMLHttpRequest();
  let waiting = 0;
  request.open("POST", action);
  request.setRequestHeader("Accept", "application/json");
  request.setRequestHeader("X-CSRF-Token", words.csrf);
  by("sending-text").textContent = words.sending;
  request.upload.onprogress = (event) => { if (event.lengthComputable) by("sending-bar").value = 100 * event.loaded / event.total; };
  request.onload = () => {
    let said = {};
    try { said = JSON.parse(request.responseText); } catch (error) { /* an answer from a proxy in between */ }
    if (request.status === 201) { location.assign(said.location); return; }
    by("sending-text").textContent = said.error?.message || words.failed;
    // Many phones at once: the server says when it has room again.
    const pause = Number(request.getResponseHeader("Retry-After"));
    if (request.status === 503 && pause && tries > 1) waiting = setTimeout(() => post(action, body, tries - 1), 1000 * pause);
  };
  request.onerror = () => { by("sending-text").textContent = words.failed; };
  by("sending-close").onclick = () => { clearTimeout(waiting); request.abort(); };
  request.send(body);
}
document.addEventListener("change", (event) => {
  const form = event.target.closest("form.photo");
  if (form && event.target.files.length) { send(form, event.target.files[0]); event.target.value = ""; }
  if (event.target.id === "layout") valve();
});
for (const kind of ["dragover", "dragleave", "drop"]) document.addEventListener(kind, (event) => {
  const place = event.target.closest?.(".player-card, .board-page");
  const form = place?.querySelector("form.photo");
  if (!form) return;
  event.preventDefault();
  place.classList.toggle("over", kind === "dragover");
  if (kind === "drop" && event.dataTransfer.files.length) send(form, event.dataTransfer.files[0]);
});

// --- forms ---
document.addEventListener("submit", (event) => {
  const sure = event.target.dataset?.sure;
  if (sure && !window.confirm(sure)) event.preventDefault();
});
const add = by("add-player");
if (add) {
  const spare = () => document.querySelector(".player.spare");
  add.hidden = !spare();
  add.addEventListener("click", () => {
    const next = spare();
    next.classList.remove("spare");
    next.querySelector("input").focus();
    add.hidden = !spare();
  });
}
// --- the grid: drag its corners, or move them with the arrow keys ---
const grid = document.querySelector("[data-grid]");
if (grid) {
  const handles = [...grid.querySelectorAll(".handle")];
  const box = grid.viewBox.baseVal;
  const spots = handles.map((one) => { const { e, f } = one.transform.baseVal.consolidate().matrix; return [e, f]; });
  const put = (index, x, y) => {
    spots[index] = [Math.min(Math.max(x, 0), box.width), Math.min(Math.max(y, 0), box.height)];
    handles[index].setAttribute("transform", `translate(${spots[index].join(" ")})`);
    const text = spots.map(([a, b]) => `${a.toFixed(1)},${b.toFixed(1)}`).join(" ");
    grid.querySelector(".frame").setAttribute("points", text);
    by("grid-form").elements.corners.value = text;
  };
  handles.forEach((handle, index) => {
    handle.addEventListener("pointerdown", (event) => { handle.setPointerCapture(event.pointerId); event.preventDefault(); handle.focus(); });
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const spot = new DOMPoint(event.clientX, event.clientY).matrixTransform(grid.getScreenCTM().inverse());
      put(index, spot.x, spot.y);
    });
    handle.addEventListener("keydown", (event) => {
      const step = (event.shiftKey ? 0.05 : 0.01) * box.width;
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!way) return;
      event.preventDefault();
      put(index, spots[index][0] + way[0] * step, spots[index][1] + way[1] * step);
    });
  });
}
localTimes();
function valve() { if (by("valve")) by("valve").hidden = by("layout").value !== "valve"; }
valve();

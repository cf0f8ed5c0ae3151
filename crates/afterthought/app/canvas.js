// Draws a graph on a canvas: laid out by forces, moved by dragging, zoomed by wheel, pinch and keys.

import { forceCenter, forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from "./vendor/d3-force.js";

/** @typedef {import("./types/api.d.ts").Graph} Graph */
/** @typedef {import("./types/api.d.ts").Node & {x: number, y: number, size: number, tone: string, near: Set<Dot>}} Dot */
/** @typedef {{source: Dot, target: Dot, weight: number, type: string}} Line */
/** @typedef {{hovered: (node: Dot | null) => void, opened: (node: Dot) => void}} Hands */

/** How many steps the forces take, and how many of them between two pictures. */
const STEPS = 260;
const STEPS_A_FRAME = 8;
const LEAST_ZOOM = 0.1;
const MOST_ZOOM = 6;
/** Few nodes are not blown up to fill the picture. */
const MOST_FITTED = 2.2;
/** A press that moves less than this is a click. */
const CLICK_PIXELS = 5;

export class Canvas {
  /** @type {Dot[]} */ #dots = [];
  /** @type {Line[]} */ #lines = [];
  /** @type {Dot | null} */ #hovered = null;
  #view = { x: 0, y: 0, zoom: 1 };
  #isFitted = true;
  #frame = 0;
  #ended = new AbortController();
  /** @type {Map<number, {x: number, y: number}>} */ #pointers = new Map();
  #moved = 0;

  /**
   * @param {HTMLCanvasElement} element
   * @param {Graph} graph
   * @param {Hands} hands
   */
  constructor(element, graph, hands) {
    this.element = element;
    this.hands = hands;
    this.#build(graph);
    this.#listen();
    this.#settle();
  }

  destroy() {
    this.#ended.abort();
    cancelAnimationFrame(this.#frame);
  }

  /** @param {number} factor */
  zoom(factor) {
    this.#zoomAt(factor, this.element.clientWidth / 2, this.element.clientHeight / 2);
  }

  /** Shows all of it. */
  fit() {
    this.#isFitted = true;
    this.#refit();
    this.#draw();
  }

  /** @param {Graph} graph */
  #build({ nodes, edges }) {
    /** @type {Map<string, Dot>} */
    const dots = new Map();
    for (const node of nodes) {
      const isThought = node.type === "thought";
      const size = isThought ? 4 : Math.min(18, 5 + 2.2 * Math.sqrt(node.thoughts ?? 1));
      const tone = isThought ? "thought" : node.kind === "person" || node.kind === "place" ? node.kind : "thing";
      // The layout gives each its place, and the same one every time.
      dots.set(node.id, { ...node, x: NaN, y: NaN, size, tone, near: new Set() });
    }
    for (const { from, to, weight, type } of edges) {
      const [source, target] = [dots.get(from), dots.get(to)];
      if (!source || !target) continue;
      source.near.add(target);
      target.near.add(source);
      this.#lines.push({ source, target, weight, type });
    }
    this.#dots = [...dots.values()];
  }

  #settle() {
    const simulation = forceSimulation(this.#dots)
      .force("line", forceLink(this.#lines).distance(46).strength((/** @type {Line} */ line) => 0.15 + 0.3 * Math.min(1, line.weight)))
      .force("apart", forceManyBody().strength((dot) => -60 - 8 * /** @type {Dot} */ (dot).size).distanceMax(420))
      .force("room", forceCollide((/** @type {Dot} */ dot) => (dot.type === "entity" ? dot.size + 12 : dot.size + 3)))
      .force("center", forceCenter(0, 0))
      .force("x", forceX(0).strength(0.05))
      .force("y", forceY(0).strength(0.07))
      .alphaDecay(1 - 0.001 ** (1 / STEPS))
      .stop();
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    let left = STEPS;
    const step = () => {
      const now = isStill ? left : Math.min(left, STEPS_A_FRAME);
      simulation.tick(now);
      left -= now;
      if (this.#isFitted) this.#refit();
      this.#draw();
      if (left > 0) this.#frame = requestAnimationFrame(step);
      else this.element.dataset["settled"] = "yes";
    };
    step();
  }

  #refit() {
    const { clientWidth: width, clientHeight: height } = this.element;
    const [left, right] = range(this.#dots.map(({ x }) => x));
    const [top, bottom] = range(this.#dots.map(({ y }) => y));
    const zoom = Math.min((width - 90) / (right - left || 1), (height - 90) / (bottom - top || 1), MOST_FITTED);
    this.#view = { zoom: Math.max(zoom, LEAST_ZOOM), x: width / 2 - (zoom * (left + right)) / 2, y: height / 2 - (zoom * (top + bottom)) / 2 };
  }

  #draw() {
    const { element } = this;
    const { clientWidth: width, clientHeight: height } = element;
    const ratio = window.devicePixelRatio || 1;
    if (element.width !== Math.round(width * ratio) || element.height !== Math.round(height * ratio)) {
      element.width = Math.round(width * ratio);
      element.height = Math.round(height * ratio);
    }
    const pen = element.getContext("2d");
    if (!pen) return;
    const style = getComputedStyle(element);
    const colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
    const { x, y, zoom } = this.#view;
    const lit = this.#hovered && new Set([this.#hovered, ...this.#hovered.near]);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.lineWidth = 1;
    for (const { source, target, type } of this.#lines) {
      const isLit = lit && (source === this.#hovered || target === this.#hovered);
      pen.globalAlpha = lit ? (isLit ? 0.9 : 0.08) : type === "link" ? 0.45 : 0.3;
      pen.strokeStyle = colour(isLit ? "--accent" : "--edge");
      pen.beginPath();
      pen.moveTo(x + source.x * zoom, y + source.y * zoom);
      pen.lineTo(x + target.x * zoom, y + target.y * zoom);
      pen.stroke();
    }
    for (const dot of this.#dots) {
      pen.globalAlpha = lit && !lit.has(dot) ? 0.2 : 1;
      pen.fillStyle = colour(`--graph-${dot.tone}`);
      pen.beginPath();
      pen.arc(x + dot.x * zoom, y + dot.y * zoom, radius(dot, zoom), 0, 2 * Math.PI);
      pen.fill();
    }
    this.#label(pen, style, lit);
  }

  /**
   * Names, the most mentioned first, each where it covers none before it.
   * @param {CanvasRenderingContext2D} pen
   * @param {CSSStyleDeclaration} style
   * @param {Set<Dot> | null} lit
   */
  #label(pen, style, lit) {
    const { x, y, zoom } = this.#view;
    // Large dots are not written over either.
    const taken = this.#dots.filter((dot) => dot.size > 7).map((dot) => {
      const [cx, cy, half] = [x + dot.x * zoom, y + dot.y * zoom, radius(dot, zoom)];
      return { left: cx - half, right: cx + half, top: cy - half, bottom: cy + half };
    });
    pen.textAlign = "center";
    pen.textBaseline = "top";
    const named = this.#dots.filter((dot) => (lit ? lit.has(dot) : dot.type === "entity" || zoom > 1.8));
    named.sort((one, other) => Number(other === this.#hovered) - Number(one === this.#hovered) || other.size - one.size);
    for (const dot of named) {
      const isEntity = dot.type === "entity";
      pen.font = `${isEntity && dot.size > 10 ? 600 : 400} ${isEntity ? 13 : 12}px ${style.getPropertyValue("--sans")}`;
      const text = short(dot.label, isEntity ? 26 : 34);
      const half = pen.measureText(text).width / 2 + 3;
      const [px, py, away] = [x + dot.x * zoom, y + dot.y * zoom, radius(dot, zoom) + 3];
      const places = [[px, py + away], [px, py - away - 15], [px + away + half, py - 8], [px - away - half, py - 8]];
      const boxes = places.map(([cx = 0, top = 0]) => ({ cx, top, left: cx - half, right: cx + half, bottom: top + 16 }));
      const box = boxes.find((free) => !taken.some((other) => free.left < other.right && free.right > other.left && free.top < other.bottom && free.bottom > other.top));
      if (!box) continue;
      const { cx, top } = box;
      taken.push(box);
      pen.globalAlpha = 1;
      pen.lineWidth = 3;
      pen.lineJoin = "round";
      pen.strokeStyle = style.getPropertyValue("--sheet");
      pen.strokeText(text, cx, top);
      pen.fillStyle = style.getPropertyValue(isEntity ? "--ink" : "--quiet");
      pen.fillText(text, cx, top);
    }
  }

  #listen() {
    const { element } = this;
    const options = { signal: this.#ended.signal };
    const redraw = () => {
      if (this.#isFitted) this.#refit();
      this.#draw();
    };
    const resized = new ResizeObserver(redraw);
    resized.observe(element);
    this.#ended.signal.addEventListener("abort", () => resized.disconnect());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw, options);
    element.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.#zoomAt(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), event.offsetX, event.offsetY);
    }, { ...options, passive: false });
    element.addEventListener("pointerdown", (event) => {
      element.setPointerCapture(event.pointerId);
      this.#pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
      this.#moved = 0;
    }, options);
    element.addEventListener("pointermove", (event) => this.#move(event), options);
    element.addEventListener("pointerup", (event) => this.#release(event), options);
    element.addEventListener("pointercancel", (event) => void this.#pointers.delete(event.pointerId), options);
    element.addEventListener("pointerleave", () => this.#hover(null), options);
    element.addEventListener("keydown", (event) => this.#press(event), options);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return this.#hover(this.#at(event.offsetX, event.offsetY));
    const now = { x: event.offsetX, y: event.offsetY };
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.#moved += Math.hypot(now.x - before.x, now.y - before.y);
    this.#pointers.set(event.pointerId, now);
    if (other) {
      const factor = Math.hypot(now.x - other.x, now.y - other.y) / (Math.hypot(before.x - other.x, before.y - other.y) || 1);
      this.#zoomAt(factor, (now.x + other.x) / 2, (now.y + other.y) / 2);
    } else this.#pan(now.x - before.x, now.y - before.y);
  }

  /** @param {PointerEvent} event */
  #release(event) {
    this.#pointers.delete(event.pointerId);
    if (this.#moved > CLICK_PIXELS) return;
    const dot = this.#at(event.offsetX, event.offsetY);
    if (dot) this.hands.opened(dot);
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const far = event.shiftKey ? 160 : 50;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.#pan(far, 0),
      ArrowRight: () => this.#pan(-far, 0),
      ArrowUp: () => this.#pan(0, far),
      ArrowDown: () => this.#pan(0, -far),
      "+": () => this.zoom(1.3),
      "-": () => this.zoom(1 / 1.3),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /**
   * @param {number} dx
   * @param {number} dy
   */
  #pan(dx, dy) {
    this.#isFitted = false;
    this.#view = { ...this.#view, x: this.#view.x + dx, y: this.#view.y + dy };
    this.#draw();
  }

  /**
   * @param {number} factor
   * @param {number} px
   * @param {number} py
   */
  #zoomAt(factor, px, py) {
    const before = this.#view;
    const zoom = Math.min(Math.max(before.zoom * factor, LEAST_ZOOM), MOST_ZOOM);
    const grown = zoom / before.zoom;
    this.#isFitted = false;
    this.#view = { zoom, x: px - (px - before.x) * grown, y: py - (py - before.y) * grown };
    this.#draw();
  }

  /**
   * The node under a point, with some room around small ones.
   * @param {number} px
   * @param {number} py
   */
  #at(px, py) {
    const { x, y, zoom } = this.#view;
    let [nearest, distance] = [/** @type {Dot | null} */ (null), Infinity];
    for (const dot of this.#dots) {
      const away = Math.hypot(x + dot.x * zoom - px, y + dot.y * zoom - py) - radius(dot, zoom);
      if (away < 6 && away < distance) [nearest, distance] = [dot, away];
    }
    return nearest;
  }

  /** @param {Dot | null} dot */
  #hover(dot) {
    if (dot === this.#hovered) return;
    this.#hovered = dot;
    this.element.classList.toggle("pointing", dot !== null);
    this.hands.hovered(dot);
    this.#draw();
  }
}

/**
 * @param {Dot} dot
 * @param {number} zoom
 */
function radius(dot, zoom) {
  return dot.size * Math.min(1.6, Math.max(0.55, Math.sqrt(zoom)));
}

/** @param {number[]} values */
function range(values) {
  return values.length ? /** @type {const} */ ([Math.min(...values), Math.max(...values)]) : /** @type {const} */ ([0, 0]);
}

/**
 * @param {string} text
 * @param {number} most
 */
function short(text, most) {
  const flat = text.replace(/\s+/g, " ");
  return flat.length > most ? `${flat.slice(0, most - 1).trimEnd()}…` : flat;
}

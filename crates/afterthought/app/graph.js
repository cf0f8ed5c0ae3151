// The graph: entities and thoughts that belong together, as a picture and as a list.

import { ask } from "./api.js";
import { Canvas } from "./canvas.js";
import { html, useEffect, useMemo, useRef, useState } from "./page.js";
import { Alert, counted, Empty, Loading, number, useLoaded, useTitle } from "./parts.js";
import { go, route, to } from "./route.js";

/** @typedef {import("./types/api.d.ts").Graph} Graph */
/** @typedef {import("./types/api.d.ts").Node} Node */

/** How many neighbours the list names for each node. */
const NAMED = 6;

export function GraphPlace() {
  const entity = route.value.query.get("entity") ?? "";
  const thought = route.value.query.get("thought") ?? "";
  const { value: graph, failure, isCurrent, reload } = useLoaded(`${entity} ${thought}`, (signal) => /** @type {Promise<Graph>} */ (ask("graph", { query: { entity, thought }, signal })));
  useTitle("Graph");
  const centre = graph?.nodes.find(({ id }) => id === (entity || thought));
  return html`
    <div class="stack close">
      <h1>Graph</h1>
      <p class="lead">
        ${entity || thought
          ? html`Around ${centre ? html`<a href=${address(centre)}>${centre.label}</a>` : "one of them"}. <a href=${to("graph")}>Show everything</a>`
          : "Entities and thoughts that belong together."}
      </p>
    </div>
    <${Alert} failure=${failure} again=${reload} />
    ${!graph && !failure && html`<${Loading} what="the graph" />`}
    ${graph && isCurrent && !graph.nodes.length && html`<${Empty} title="Nothing to draw yet"><p>Entities and links are found a moment after each capture.</p><//>`}
    ${graph && graph.nodes.length > 0 && html`
      <${Picture} graph=${graph} />
      <${AsList} graph=${graph} />
    `}
  `;
}

/** @param {{graph: Graph}} properties */
function Picture({ graph }) {
  const element = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  const canvas = useRef(/** @type {Canvas | null} */ (null));
  const [hovered, setHovered] = useState(/** @type {import("./canvas.js").Dot | null} */ (null));
  useEffect(() => {
    if (!element.current) return;
    canvas.current = new Canvas(element.current, graph, { hovered: setHovered, opened: (node) => go(address(node)) });
    return () => canvas.current?.destroy();
  }, [graph]);
  return html`<figure class="stack close">
    <div class="picture">
      <canvas ref=${element} tabindex="0" role="img" aria-label="The graph as a picture; the list below has the same content"></canvas>
      ${hovered && html`<p class="hint">${hovered.label} <span class="quiet">${about(hovered)}, ${counted(hovered.near.size, "connection")}</span></p>`}
      <div class="controls">
        <button type="button" aria-label="Zoom in" onClick=${() => canvas.current?.zoom(1.4)}>+</button>
        <button type="button" aria-label="Zoom out" onClick=${() => canvas.current?.zoom(1 / 1.4)}>−</button>
        <button type="button" onClick=${() => canvas.current?.fit()}>Fit</button>
      </div>
    </div>
    <figcaption class="row ends">
      <span class="small quiet">showing ${number(graph.showing)} of ${number(graph.of)}</span>
      <span class="legend">
        <span><i class="person"></i>people</span><span><i class="place"></i>places</span><span><i class="thing"></i>other entities</span><span><i class="thought"></i>thoughts</span>
      </span>
    </figcaption>
  </figure>`;
}

/** @param {{graph: Graph}} properties */
function AsList({ graph }) {
  const near = useMemo(() => neighbours(graph), [graph]);
  return html`<section class="stack close">
    <h2>Graph as a list</h2>
    <ul class="graph-list" aria-label="Graph as a list">
      ${graph.nodes.map((node) => {
        const others = near.get(node.id) ?? [];
        return html`<li key=${node.id}>
          <a href=${address(node)}>${node.label}</a> <span class="small quiet">${about(node)}</span>
          ${others.length > 0 && html`<br /><span class="to">with ${others.slice(0, NAMED).map(({ label }) => (label.length > 40 ? `${label.slice(0, 39)}…` : label)).join("; ")}${others.length > NAMED && ` and ${number(others.length - NAMED)} more`}</span>`}
        </li>`;
      })}
    </ul>
  </section>`;
}

/** @param {Graph} graph */
function neighbours({ nodes, edges }) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  /** @type {Map<string, Node[]>} */
  const near = new Map(nodes.map(({ id }) => [id, []]));
  for (const { from, to: other } of edges) {
    const [one, two] = [byId.get(from), byId.get(other)];
    if (!one || !two) continue;
    near.get(from)?.push(two);
    near.get(other)?.push(one);
  }
  return near;
}

/** @param {Node} node */
function address({ type, id }) {
  return to(type === "entity" ? "entity" : "thought", id);
}

/** @param {Node} node */
function about({ type, kind, category, status }) {
  return type === "entity" ? (kind ?? "entity") : `${category ?? "thought"}${status === "completed" ? ", done" : ""}`;
}

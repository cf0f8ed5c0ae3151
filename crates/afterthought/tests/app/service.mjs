// The real program as a process on an empty folder, and accounts in it.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const PROGRAM = process.env.AFTERTHOUGHT_PROGRAM;

export class Service {
  #accounts = 0;

  static async start() {
    assert(PROGRAM, "AFTERTHOUGHT_PROGRAM names the program to try");
    const service = new Service();
    service.folder = await mkdtemp(join(tmpdir(), "afterthought-app-"));
    await service.serve("127.0.0.1:0");
    return service;
  }

  /** Serves the folder at an address, and keeps what it printed. */
  async serve(listen) {
    this.child = spawn(PROGRAM, ["serve", "--listen", listen, "--rate-limit", "0", "--log-level", "error", "--data", this.folder], { stdio: ["ignore", "pipe", "inherit"] });
    this.ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.greeting = "";
    for await (const line of createInterface(this.child.stdout)) {
      this.greeting += `${line}\n`;
      const found = /listening on (http:\/\/[^/]+)/.exec(line);
      if (!found) continue;
      this.child.stdout.resume();
      this.origin = found[1];
      return;
    }
    throw new Error(`the service ended:\n${this.greeting}`);
  }

  async kill() {
    this.child.kill("SIGKILL");
    await this.ended;
  }

  async end() {
    await this.kill();
    await rm(this.folder, { recursive: true });
  }

  /** Runs another command of the program on the same folder, and gives what it prints. */
  async run(...args) {
    const { stdout } = await promisify(execFile)(PROGRAM, [...args, "--data", this.folder]);
    return stdout.trim();
  }

  /** A new account with a key, called `laptop` unless told otherwise. */
  async account(keyName = "laptop", name = `person-${(this.#accounts += 1)}`) {
    await this.run("account", "create", name);
    return new Account(this, name, await this.run("key", "create", keyName, "--account", name));
  }
}

class Account {
  constructor(service, name, key) {
    Object.assign(this, { service, name, key });
  }

  /** A fresh link for signing in. */
  async link() {
    const link = await this.service.run("open", "--print", "--account", this.name);
    assert(link.startsWith(`${this.service.origin}/#sign-in=`), link);
    return link;
  }

  anotherKey(name) {
    return this.service.run("key", "create", name, "--account", this.name);
  }

  /** Calls a tool as an assistant does, and gives the answer with its status. */
  async tell(name, args, key = this.key) {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });
    const headers = { Authorization: `Bearer ${key}`, Accept: "application/json", "Content-Type": "application/json" };
    const answer = await fetch(`${this.service.origin}/api/mcp`, { method: "POST", headers, body });
    return { status: answer.status, result: answer.ok ? (await answer.json()).result : null };
  }

  /** Captures a text as the person's, or an assistant's own, and gives its id. */
  async capture(raw, { as = "user", key = this.key, at } = {}) {
    const { result } = await this.tell("capture_thought", { raw, as_user: as === "user", ...(at ? { captured_at: at } : {}) }, key);
    assert(!result.isError, result.content[0].text);
    return result.structuredContent.thought.id;
  }

  async edit(id, request, key = this.key) {
    const { result } = await this.tell("edit_thought", { thought_id: id, edit_request: request }, key);
    assert(!result.isError, result.content[0].text);
  }
}

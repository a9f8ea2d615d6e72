// @ts-check
// folder.js — the store of saved runs in Node: one folder a run, written so that a file is the old
// one or the new one, never half of one. It answers what the store worker answers in a browser
// (wasm/store/answer.go). Loaded only where runs are kept in a folder.

import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { RcmdpError } from "./message.js";

/** @typedef {{ id: string, rev: number, resumable: boolean, fields: Record<string, unknown> }} Saved what record.json holds */

const decoder = new TextDecoder();
const none = new Uint8Array();

export class FolderStore {
  crashes = 0;
  #root;

  /** @param {string} root made when it is not there */
  constructor(root) {
    this.#root = path.resolve(root);
    try {
      fs.mkdirSync(this.#root, { recursive: true });
    } catch (cause) {
      throw new RcmdpError("unavailable", `Runs cannot be kept in ${this.#root}: ${/** @type {Error} */ (cause).message}.`, { cause });
    }
  }

  /**
   * @param {string} name @param {Uint8Array[]} parts
   * @returns {Promise<{ value: any, blobs: Uint8Array[] }>}
   */
  async call(name, ...parts) {
    const answer = Object.hasOwn(this.#calls, name) && this.#calls[name];
    if (!answer) throw new RcmdpError("unsupported", `${name} is no call of the store.`);
    return { blobs: [], ...answer(decoder.decode(parts[0] ?? none), ...parts.slice(1)) };
  }

  /** Its calls by their names; most begin with the id of a run. @type {Record<string, (id: string, ...more: Uint8Array[]) => { value: any, blobs?: Uint8Array[] }>} */
  #calls = {
    open: () => ({ value: true }),
    state: () => ({ value: { storage: "folder", notice: null } }),
    list: () => ({ value: this.#list() }),
    get: (id) => this.#get(id),
    put: (run, fields, problem = none, result = none) => ({ value: this.#put(JSON.parse(run), JSON.parse(decoder.decode(fields)), problem, result) }),
    delete: (id) => ({ value: fs.rmSync(this.#folder(id), { recursive: true, force: true }) ?? true }),
    checkpoint: (id, bytes = none) => ({ value: this.#checkpoint(id, bytes) }),
  };

  close() {}

  /** An id may be any text; a folder's name may not. @param {string} id */
  #folder(id) {
    return path.join(this.#root, /^[\w-]{1,100}$/.test(id) ? id : `run-${createHash("sha256").update(id).digest("hex").slice(0, 40)}`);
  }

  /** @param {string} id @returns {Saved | null} */
  #record(id) {
    const bytes = this.#read(id, "record.json");
    return bytes.length === 0 ? null : JSON.parse(decoder.decode(bytes));
  }

  /** A file of a run; empty when it has none. @param {string} id @param {string} file @returns {Uint8Array} */
  #read(id, file) {
    try {
      return new Uint8Array(fs.readFileSync(path.join(this.#folder(id), file)));
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT") return none;
      throw error;
    }
  }

  /** @param {string} id @param {string} file @param {Uint8Array | string} content */
  #write(id, file, content) {
    const folder = this.#folder(id);
    const part = path.join(folder, `${file}.${process.pid}.part`);
    try {
      fs.mkdirSync(folder, { recursive: true });
      fs.writeFileSync(part, content);
      fs.renameSync(part, path.join(folder, file));
    } catch (cause) {
      const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause);
      throw new RcmdpError(code === "ENOSPC" || code === "EDQUOT" ? "quota" : "unavailable", `The run could not be saved: ${message}.`, { cause });
    }
  }

  /** As the page's lists want it. @param {Saved} saved */
  #row(saved) {
    const folder = this.#folder(saved.id);
    const bytes = fs.readdirSync(folder).reduce((sum, file) => sum + (file.startsWith("checkpoint") ? 0 : fs.statSync(path.join(folder, file)).size), 0);
    return { ...saved, bytes };
  }

  #list() {
    return fs.readdirSync(this.#root).sort().flatMap((name) => {
      const file = path.join(this.#root, name, "record.json");
      return fs.existsSync(file) ? [this.#row(JSON.parse(fs.readFileSync(file, "utf8")))] : [];
    });
  }

  /** @param {string} id */
  #get(id) {
    const saved = this.#record(id);
    if (!saved) throw new RcmdpError("invalid-option", "There is no saved run with this id.");
    return { value: this.#row(saved), blobs: [this.#read(id, "problem.json"), this.#read(id, "result.bin"), this.#read(id, "checkpoint.bin")] };
  }

  /**
   * @param {{ id: string, keep: boolean, resumable: boolean, new: Record<string, unknown> }} head
   * @param {Record<string, unknown>} fields that replace those of the same name
   * @param {Uint8Array} problem @param {Uint8Array} result empty: stays as it is
   */
  #put({ id, keep, resumable, new: first }, fields, problem, result) {
    const old = this.#record(id);
    if (old && keep) return { changed: false, record: this.#row(old) };
    if (!old && problem.length === 0) throw new RcmdpError("invalid-option", "This run is not saved any more; it was deleted.");
    /** @type {Saved} */
    const saved = { id, rev: (old?.rev ?? 0) + 1, resumable: old?.resumable ?? false, fields: { ...first, ...old?.fields, ...fields } };
    if (problem.length > 0) this.#write(id, "problem.json", problem);
    if (result.length > 0) {
      this.#write(id, "result.bin", result);
      saved.resumable &&= resumable;
    }
    this.#write(id, "record.json", JSON.stringify(saved));
    if (!saved.resumable) fs.rmSync(path.join(this.#folder(id), "checkpoint.bin"), { force: true });
    return { changed: true, record: this.#row(saved) };
  }

  /** @param {string} id @param {Uint8Array} bytes */
  #checkpoint(id, bytes) {
    const saved = this.#record(id);
    if (!saved) return false;
    this.#write(id, "checkpoint.bin", bytes);
    if (!saved.resumable) this.#write(id, "record.json", JSON.stringify({ ...saved, resumable: true }));
    return true;
  }
}

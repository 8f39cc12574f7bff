// The help pages: all text comes with the page; nothing here is live.
import { bar } from "./frame/bar.js";

bar();

// Closes the window after the end of an attempt, or tells the service that the user closed it instead of trying again.
import { tellWhenClosed } from "./closed.js";
import { watch } from "./watch.js";

const SECONDS_TO_READ = 1.5;

const ended = document.getElementById("ended");
const { closed, page: name, token, state, retry } = ended.dataset;
if (closed) watch(state, retry, tellWhenClosed(closed, name, token));
if ("closes" in ended.dataset) setTimeout(() => window.close(), SECONDS_TO_READ * 1000);

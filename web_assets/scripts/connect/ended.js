// Closes the window after the end of an attempt, or tells the service that the user closed it instead of trying again.
import { tellWhenClosed } from "./closed.js";

const SECONDS_TO_READ = 1.5;

const ended = document.getElementById("ended");
if (ended.dataset.closed) tellWhenClosed(new URL(ended.dataset.closed).pathname, ended.dataset.page, ended.dataset.token);
if ("closes" in ended.dataset) setTimeout(() => window.close(), SECONDS_TO_READ * 1000);

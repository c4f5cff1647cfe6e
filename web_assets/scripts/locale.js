// Which of the SDK's languages a page gets, and the few words that the shell says by itself: in English until it has learnt
// the others.

let words = {};

/** Take the words of the other languages, which come with surface_content.js. */
export function learn(others) {
  words = others;
}

/** Return the locale nearest to the one asked for, or else to the page's language or the user's. */
export function negotiate(wanted) {
  for (const each of wanted ? [wanted] : [document.documentElement.lang, ...navigator.languages]) {
    const asked = String(each).toLowerCase();
    const found =
      LOCALES.find((locale) => locale.toLowerCase() === asked) ??
      LOCALES.find((locale) => language(locale) === language(asked));
    if (found) return found;
  }
  return "en";
}

/** Return the direction in which a locale is written. */
export function direction(locale) {
  return RIGHT_TO_LEFT.includes(locale) ? "rtl" : "ltr"; // not all browsers know it
}

/** Return a message in a locale. */
export function say(locale, message) {
  return words[locale]?.[message] ?? message;
}

function language(locale) {
  return locale.toLowerCase().split("-")[0];
}

// A page may hold this class more than once: in the SDK and in the npm package. An error of one is an error of all.
const MARK = Symbol.for("servicejs.ServiceError");

/** The error that every promise of the SDK is rejected with. */
export class ServiceError extends Error {
  static [Symbol.hasInstance](value) {
    return value?.[MARK] === true;
  }

  constructor({ message, code, status = null, error_details = [], request_id = "" }) {
    super(message);
    this.name = "ServiceError";
    this.code = code;
    this.status = status;
    this.error_details = error_details;
    this.request_id = request_id;
  }

  get [MARK]() {
    return true;
  }
}

// Ids in the order of their last change, for lists and streams that begin anywhere. Called by the embedded store.
// An id stands where its newest seq is; older places are skipped and now and then swept out.

interface Place {
  readonly seq: number;
  readonly id: string;
}

export class SeqOrder {
  readonly #newest = new Map<string, number>();
  #places: Place[] = [];

  /** `seq` is larger than every one before. */
  put(id: string, seq: number): void {
    this.#newest.set(id, seq);
    this.#places.push({ seq, id });
    if (this.#places.length > 1024 && this.#places.length > 2 * this.#newest.size) this.#sweep();
  }

  delete(id: string): void {
    this.#newest.delete(id);
  }

  get size(): number {
    return this.#newest.size;
  }

  *after(seq: number): Iterable<string> {
    for (let i = this.#firstAbove(seq); i < this.#places.length; i++) {
      const place = this.#places[i] as Place;
      if (this.#isCurrent(place)) yield place.id;
    }
  }

  *before(seq: number): Iterable<string> {
    for (let i = this.#firstAbove(seq - 1) - 1; i >= 0; i--) {
      const place = this.#places[i] as Place;
      if (this.#isCurrent(place)) yield place.id;
    }
  }

  #isCurrent({ seq, id }: Place): boolean {
    return this.#newest.get(id) === seq;
  }

  #firstAbove(seq: number): number {
    let [low, high] = [0, this.#places.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#places[middle] as Place).seq > seq) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #sweep(): void {
    this.#places = this.#places.filter((place) => this.#isCurrent(place));
  }
}

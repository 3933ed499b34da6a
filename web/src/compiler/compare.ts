import type { HostTensor } from './api.ts';
import { coordinate } from '../model/tensors.ts';

/** Whether two runs left the same bytes, and where they first differ. */
export type Comparison =
  | { same: true; bytes: number }
  | {
      same: false;
      tensor: string;
      coordinate: number[];
      mine: number;
      theirs: number;
      /** Elements that differ in that tensor. */
      differing: number;
      elements: number;
    };

/** Compares tensors of the same names byte by byte, in order. */
export function compareOutputs(
  mine: Record<string, HostTensor>,
  theirs: Record<string, HostTensor>,
): Comparison {
  let bytes = 0;
  for (const [name, tensor] of Object.entries(mine)) {
    const other = theirs[name];
    if (!other) continue;
    const width = tensor.size > 0 ? tensor.data.length / tensor.size : 1;
    let first = -1;
    let differing = 0;
    for (let element = 0; element < tensor.size; ++element) {
      for (let i = element * width; i < (element + 1) * width; ++i) {
        if (tensor.data[i] !== other.data[i]) {
          if (first < 0) first = element;
          differing += 1;
          break;
        }
      }
    }
    if (first >= 0) {
      return {
        same: false,
        tensor: name,
        coordinate: coordinate(first, tensor.shape),
        mine: tensor.at(first),
        theirs: other.at(first),
        differing,
        elements: tensor.size,
      };
    }
    bytes += tensor.data.length;
  }
  return { same: true, bytes };
}

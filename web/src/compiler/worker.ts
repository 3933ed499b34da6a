/** The script of a compiler's worker; all of it is the package's. */
import 'ktir/worker';

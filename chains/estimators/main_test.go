package estimators

import _ "breadboard/grid/longtest" // the flag -long, and fixed seeds

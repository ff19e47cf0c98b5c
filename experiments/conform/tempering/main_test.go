package tempering

import _ "breadboard/grid/longtest" // the flag -long, and fixed seeds

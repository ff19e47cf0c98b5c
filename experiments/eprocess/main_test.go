package eprocess

import _ "breadboard/grid/longtest" // the flag -long, and fixed seeds

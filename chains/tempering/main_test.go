package tempering_test

import _ "breadboard/grid/longtest"

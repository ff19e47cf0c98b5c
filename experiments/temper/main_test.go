package temper_test

import _ "breadboard/grid/longtest"

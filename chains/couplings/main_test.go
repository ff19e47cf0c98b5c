package couplings_test

import _ "breadboard/grid/longtest"

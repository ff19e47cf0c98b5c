package couple_test

import _ "breadboard/grid/longtest"

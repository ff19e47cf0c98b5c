package meeting_test

import _ "breadboard/grid/longtest"

package replicas_test

import _ "breadboard/grid/longtest"

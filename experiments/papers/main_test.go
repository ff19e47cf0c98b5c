package papers

import _ "breadboard/grid/longtest" // the flag -long

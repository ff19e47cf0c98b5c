// Package times answers: after how many moves does a chain forget where it began? It gives the mixing time, the least k with
// MI(x_k; x_0) <= bound for x_0 from the target, and the burn-in time, the least k with TV(law of x_k, target) <= bound for x_0 from a
// start. It never prints, draws or reads flags.
//
//	$ breadboard samplers times --kernel metropolis,heatbath
//	 toy     │ kernel     │ start   │ MI <= 0.01 nats after │ TV <= 0.01 after
//	─────────┼────────────┼─────────┼───────────────────────┼──────────────────
//	 easy    │ metropolis │ uniform │ 627                   │ 563
//	 easy    │ heatbath   │ uniform │ 20                    │ 29
//	 hard    │ metropolis │ uniform │ 10231690122           │ 18286009869
//	 hard    │ heatbath   │ uniform │ 1109                  │ 2819
//	 barrier │ metropolis │ uniform │ 1329588               │ 2931593
//	 barrier │ heatbath   │ uniform │ 6                     │ 14
//
// Source: Turner and Neal 2017, section 4.4.
package times

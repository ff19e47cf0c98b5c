//go:build !noasm

#include "textflag.h"

// Registers: BX and DI are the constants of wyrand, SI its state, CX the mask; R12 is where the table of the stage begins and R13
// that plus the bytes of the limits of a row, R15 the stages that are left; R8 to R11 are the places of four chains, and X0 to X3
// their log weights.

// LANE moves one chain: r is in DX, and AX is the place of its row plus the column.
#define LANE(x, sum) \
	ADDQ    BX, SI; \
	MOVQ    SI, AX; \
	XORQ    DI, AX; \
	MULQ    SI; \
	XORQ    AX, DX; \
	MOVQ    DX, AX; \
	ANDQ    CX, AX; \
	ADDQ    x, AX; \
	ADDSD   (R12)(x*8), sum; \
	MOVL    12(R13)(AX*8), x; \
	CMPQ    DX, 8(R12)(AX*8); \
	CMOVLCS 8(R13)(AX*8), x

// func drawLanes(words *uint64, stages int, size, limits uintptr, mask, stride, rng, jump uint64, states *int32, logw *float64, chains int)
TEXT ·drawLanes(SB), NOSPLIT, $0-88
	MOVQ $0xa0761d6478bd642f, BX
	MOVQ $0xe7037ed1a0b428db, DI
	MOVQ mask+32(FP), CX

four:
	MOVQ   states+64(FP), AX
	MOVL   (AX), R8
	MOVL   4(AX), R9
	MOVL   8(AX), R10
	MOVL   12(AX), R11
	MOVQ   stride+40(FP), DX
	IMULQ  DX, R8
	IMULQ  DX, R9
	IMULQ  DX, R10
	IMULQ  DX, R11
	MOVQ   logw+72(FP), AX
	MOVSD  (AX), X0
	MOVSD  8(AX), X1
	MOVSD  16(AX), X2
	MOVSD  24(AX), X3
	MOVQ   rng+48(FP), SI
	MOVQ   words+0(FP), R12
	MOVQ   limits+24(FP), R13
	ADDQ   R12, R13
	MOVQ   stages+8(FP), R15

stage:
	LANE(R8, X0)
	LANE(R9, X1)
	LANE(R10, X2)
	LANE(R11, X3)
	ADDQ jump+56(FP), SI
	ADDQ size+16(FP), R12
	ADDQ size+16(FP), R13
	DECQ R15
	JNZ  stage

	MOVQ  states+64(FP), AX
	MOVL  R8, (AX)
	MOVL  R9, 4(AX)
	MOVL  R10, 8(AX)
	MOVL  R11, 12(AX)
	ADDQ  $16, AX
	MOVQ  AX, states+64(FP)
	MOVQ  logw+72(FP), AX
	MOVSD X0, (AX)
	MOVSD X1, 8(AX)
	MOVSD X2, 16(AX)
	MOVSD X3, 24(AX)
	ADDQ  $32, AX
	MOVQ  AX, logw+72(FP)
	MOVQ  BX, AX
	SHLQ  $2, AX
	ADDQ  AX, rng+48(FP)
	SUBQ  $4, chains+80(FP)
	JNZ   four
	RET

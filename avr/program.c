/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The program in the simulator: hashes the messages that run.c puts into its memory. One program is
 * built for each function; FIN_FUNCTION is the stem of its name (fin_avr_groestl256).
 */
#include "finalist_avr.h"
#include "job.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define CALL(step) CAT(FIN_FUNCTION, step)
#ifdef FIN_KEYED
#define INIT() CALL(_init)(fin_job.digest_bytes, fin_job.key_bytes)
#define REST ((uint8_t)fin_job.rest)
#else
#define INIT() CALL(_init)()
#define REST fin_job.rest
#endif

/* Not in .data or .bss, whose sizes must be those of the function under test alone. */
#define OWN __attribute__((used, section(".noinit")))

OWN job fin_job;
OWN uint8_t fin_digest[32];
OWN uint8_t fin_message[JOB_MESSAGE_BYTES];
OWN volatile uint16_t fin_interrupts;

/* Changes the registers and the flags that a handler may change. */
ISR(TIMER0_OVF_vect)
{
    fin_interrupts++;
    TCNT0 = (uint8_t)(fin_interrupts * 37);
}

static inline __attribute__((always_inline)) void hash_in_steps(void)
{
    INIT();
    CALL(_blocks)(fin_message, fin_job.blocks);
    CALL(_final)(fin_digest, fin_message + fin_job.rest_from, REST);
}

/*
 * Part of the start-up code, instead of a call of main: the stack is empty when the function under
 * test is called. A write to GPIOR0 stops the simulator.
 */
void fin_serve(void) __attribute__((naked, used, section(".init8")));

void fin_serve(void)
{
    TIMSK0 = 1 << TOIE0;
    for (;;) {
        GPIOR0 = JOB_WANTED;
        if (fin_job.way == JOB_AT_ONCE) {
            FIN_FUNCTION(fin_digest, fin_message, fin_job.bytes);
        } else if (fin_job.way == JOB_INTERRUPTED) {
            TCCR0B = 1 << CS00;
            sei();
            hash_in_steps();
            cli();
            TCCR0B = 0;
        } else {
            hash_in_steps();
        }
        GPIOR0 = JOB_DONE;
    }
}

int main(void)
{
    return 0;
}

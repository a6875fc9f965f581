import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.Base64;

/**
 * Reads a typ, the id of an entitlement and a receipt in base64 from each line, and prints whether the program of the
 * document accepts it as one of that entitlement, and for which device.
 */
final class Main {
    public static void main(String[] arguments) throws IOException {
        String keys = Files.readString(Path.of("keys.json"));
        for (String line : new BufferedReader(new InputStreamReader(System.in)).lines().toList()) {
            String[] parts = line.split(" ", -1);
            String receipt = new String(Base64.getDecoder().decode(parts[2]), StandardCharsets.UTF_8);
            System.out.println(verdictOn(receipt, keys, parts[0], parts[1]));
        }
    }

    static String verdictOn(String receipt, String keys, String typ, String id) {
        try {
            String claims = Receipts.claimsOf(receipt, keys, typ), device = Receipts.member(claims, "device");
            if (!Receipts.member(claims, "id").equals(id)) return "invalid";
            return device.startsWith("dev_") ? "valid " + device : "valid";
        } catch (Exception fault) {
            return "invalid";
        }
    }
}
